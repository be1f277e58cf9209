package antman

import (
	"context"
	"strings"
	"testing"

	"tarry/baselines/operate"
	"tarry/sim"
	"tarry/sim/interference"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/sim/series"
	"tarry/sim/service"
	"tarry/sim/service/mmc"
	"tarry/sim/simtest"
	"tarry/sim/stack"
)

// served writes down the shares of jobs, and adds up what became of requests.
type served struct {
	shares
	model   *service.Model
	ledgers []service.Ledger
	beside  int // changes of a replica's share
}

func (s *served) Serve(x *service.Span) {
	s.ledgers[x.Service].Add(&s.model.Services[x.Service], s.model.Latency, x)
}
func (s *served) Lend(int32, bool, sim.Time) {}
func (s *served) Replica(i *sim.Interval) {
	if i.ShareMilli < 1000 {
		s.beside++
	}
}

// attend runs a policy beside so many replicas of each service.
func attend(t *testing.T, text, operator, law string, jobs []sim.Job, machines, gpus int,
	m *service.Model) *served {
	t.Helper()
	var speed sim.SpeedModel = simtest.Counting{}
	if law != "" {
		rule, err := interference.Parse(law, nil)
		if err != nil {
			t.Fatal(err)
		}
		speed = stack.New(speed, interference.NewLayer(rule, nil, nil))
	}
	w, top := simtest.OneRack(t, jobs, machines, gpus, 24*gib)
	o, err := operate.NewFixed(param.Parse("operator fixed", operator))
	if err != nil {
		t.Fatal(err)
	}
	seen := &served{model: m, ledgers: make([]service.Ledger, len(m.Services))}
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: speed,
		Check: true, Services: m, Operator: o}, policy(t, text)(), seen); err != nil {
		t.Fatal(err)
	}
	return seen
}

// A replica answers 10 requests a second, each within 0.2 s, so it keeps half of its GPU. A job has
// the other half at load 4, 3 tenths at 7, is evicted at 9.5, and returns at 2. Its work of 2.5 s and
// 0.9 s is not lost: 4.6 s are left at 9 s. Without the setting a job waits for a GPU
// that another one leaves.
func TestShareFollowsTheLoad(t *testing.T) {
	web := service.Spec{Name: "web", Replicas: 1, RatePerS: 10, DeadlineS: 0.2, Target: 0.9,
		Load: &series.Series{Steps: []series.Step{{Value: 4}, {At: 5e6, Value: 7}, {At: 8e6, Value: 9.5},
			{At: 9e6, Value: 2}, {At: 12e6, Value: 3}}}}
	seen := attend(t, "guaranteed=priority", "replicas=1", "", []sim.Job{task(0, 8, 0, 0, 0.5)}, 1, 1,
		&service.Model{Services: []service.Spec{web}})
	same(t, seen.lines, "0 on [0] 500: 0s-5s tune", "0 on [0] 300: 5s-8s preempt", "0 on [0] 500: 9s-18.2s finish")
	if l := seen.ledgers[0]; l.BadS != 0 || l.Attained() != 1 {
		t.Errorf("bad for %v s, %v attained", l.BadS, l.Attained())
	}
	seen = attend(t, "guaranteed=priority,online=false", "replicas=1", "",
		[]sim.Job{task(0, 8, 0, 0, 1), task(1, 2, 0, 0, 1)}, 1, 2, &service.Model{Services: []service.Spec{web}})
	same(t, seen.lines, "0 on [1] 1000: 0s-8s finish", "1 on [1] 1000: 8s-10s finish")
}

// Two services that reach their targets alone, by the queue M/M/c or by fluid, reach them beside
// jobs: at all times where a share is a part of the time; within microseconds of a change where the
// law depends on how busy replicas are. Jobs have shares by turns and are evicted by turns.
func TestTargetsAreKept(t *testing.T) {
	for law, bad := range map[string]float64{"": 0, "mps": 1e-3, "horus": 0} {
		tunes, stops := 0, 0
		for seed := range uint64(40) {
			m := easy(seed)
			seen := attend(t, "guaranteed=priority,util=2", "replicas=3", law, drawnFor(seed), 2, 5, m)
			for i, l := range seen.ledgers {
				if l.BadS > bad || l.Attained() < 0.9 {
					t.Errorf("%s, seed %d: %s is bad for %v s, %v attained", law, seed, m.Services[i].Name, l.BadS,
						l.Attained())
				}
			}
			tunes += seen.beside
			stops += strings.Count(strings.Join(seen.lines, "\n"), "preempt")
		}
		if tunes < 1000 || stops < 30 {
			t.Errorf("%s: replicas had %d shares, jobs were evicted %d times: the cases are too easy", law, tunes, stops)
		}
	}
}

// easy draws services of three replicas whose loads change, and which reach their targets alone.
func easy(seed uint64) *service.Model {
	r := rng.Source{Seed: seed}.Stream("loads")
	m := &service.Model{Latency: service.Latency(seed % 2)}
	for _, name := range []string{"web", "chat"} {
		s := service.Spec{Name: name, Replicas: 3, RatePerS: 10, DeadlineS: 0.4, Target: 0.9}
		var steps []series.Step
		for at := int64(0); at < 400e6; at += 1 + r.Int64N(9e6) {
			load := 30 * r.Float64()
			for mmc.Attained(3, load, s.RatePerS, s.DeadlineS) < s.Target {
				load = 30 * r.Float64()
			}
			steps = append(steps, series.Step{At: at, Value: load})
		}
		s.Load = &series.Series{Steps: steps}
		m.Services = append(m.Services, s)
	}
	return m
}

// drawnFor are drawn jobs of at most four GPUs, most of one.
func drawnFor(seed uint64) []sim.Job {
	jobs := drawn(seed)
	for i := range jobs {
		if i%3 > 0 {
			jobs[i].GPUs, jobs[i].Priority = 1, 0
		}
	}
	return jobs
}

// serve gives a case two services of which an operator keeps two replicas each.
func serve(cfg *sim.Config, seed uint64) {
	day := func(k float64) *series.Series {
		return &series.Series{Steps: []series.Step{{Value: k}, {At: 2e6, Value: 3.5 * k}, {At: 4e6, Value: 2 * k},
			{At: 8e6, Value: 4.1 * k}, {At: 11e6, Value: 0}, {At: 15e6, Value: 3 * k}, {At: 30e6}}}
	}
	cfg.Services = &service.Model{Latency: service.Latency(seed % 2), Services: []service.Spec{
		{Name: "web", Replicas: 2, RatePerS: 4, DeadlineS: 1, Target: 0.9, Load: day(2)},
		{Name: "chat", Replicas: 2, RatePerS: 2, UtilFrac: 0.5, GPUMiB: 30, StartS: 0.5, Load: day(1)}}}
	o, err := operate.NewLeast(param.Parse("operator least", "least=0,down_s=1"))
	if err != nil {
		panic(err) // no setting of it is wrong
	}
	cfg.Operator = o
}
