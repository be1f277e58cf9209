package operate

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/series"
	"tarry/sim/service"
)

// curve is a speed model in which a job on n GPUs of m machines is n/2^(m-1) times as fast as on one; flat
// jobs gain a tenth by each further GPU.
type curve struct{ top *cluster.Topology }

func (c curve) Speed(q *sim.Query) (sim.Speed, error) {
	rate := float64(len(q.GPUs))
	if q.Job.Model == "flat" {
		rate = 1 + 0.1*(rate-1)
	}
	for i := 1; i < len(q.GPUs); i++ {
		if c.top.Machine(q.GPUs[i]) != c.top.Machine(q.GPUs[i-1]) {
			rate /= 2
		}
	}
	return sim.Speed{Rate: rate, ComputeFrac: 1}, nil
}

// placed starts each job on stated GPUs when it comes, and leaves it there.
type placed [][]cluster.GPU

func (p placed) Knows() know.Set { return know.Nothing }
func (p placed) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive {
			out = append(out, sim.Decision{Kind: sim.Start, Job: ev.Job, GPUs: p[ev.Job]})
		}
	}
	return out
}

// log writes down what jobs and replicas hold.
type log struct{ lines []string }

func (l *log) Interval(i *sim.Interval) {
	l.lines = append(l.lines, fmt.Sprintf("job %d on %v %v-%v", i.Job, i.GPUs, i.Start.Seconds(), i.End.Seconds()))
}
func (l *log) Replica(i *sim.Interval) {
	l.lines = append(l.lines, fmt.Sprintf("replica %d on %v %v-%v", i.Job, i.GPUs, i.Start.Seconds(), i.End.Seconds()))
}
func (l *log) Serve(*service.Span)        {}
func (l *log) Lend(int32, bool, sim.Time) {}
func (l *log) Job(*sim.Record)            {}
func (l *log) Instant(*sim.Gauge)         {}

// elastic is a job for a minute on one GPU that runs on 1 to 4.
func elastic(model string) sim.Job {
	return sim.Job{ID: model, Model: model, GPUs: 1, MinGPUs: 1, MaxGPUs: 4, Work: 60 * sim.Second}
}

// seized runs jobs on two machines of two GPUs beside replicas for a load of one request per second from
// 10 s to 20 s, each.
func seized(t *testing.T, spec string, replicas float64, jobs []sim.Job, on placed) []string {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(1, 2, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("by hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	load := &series.Series{Steps: []series.Step{{}, {At: 10e6, Value: replicas}, {At: 20e6}}}
	var l log
	cfg := sim.Config{Workload: w, Topology: top, Speed: curve{top}, Check: true, Operator: operator(t, spec),
		Services: &service.Model{Services: []service.Spec{{Name: "web", Replicas: 4, RatePerS: 1, Load: load}}}}
	if _, err := sim.Run(context.Background(), cfg, on, &l); err != nil {
		t.Fatal(err)
	}
	return l.lines
}

// Replicas take free GPUs where training has least, then a GPU of the job that loses least by it; jobs that
// cannot do with fewer are stopped last, as they lose all.
func TestSeize(t *testing.T) {
	const exact = "deepboot:least=0,headroom=1,protect_s=0,reuse_s=0,sleep_s=0"
	for name, c := range map[string]struct {
		replicas float64
		jobs     []sim.Job
		on       placed
		want     []string
	}{
		"free": {1, []sim.Job{elastic("steep")}, placed{{0}}, []string{"replica 1 on [2] 10-20", "job 0 on [0] 0-60"}},
		"flat first": {1, []sim.Job{elastic("flat"), elastic("steep")}, placed{{0, 1}, {2, 3}},
			[]string{"job 0 on [0 1] 0-10", "replica 2 on [1] 10-20", "job 1 on [2 3] 0-30"}},
		"the spread GPU": {1, []sim.Job{elastic("steep"), elastic("rigid")}, placed{{0, 1, 2}, {3}},
			[]string{"job 0 on [0 1 2] 0-10", "replica 2 on [2] 10-20"}},
		"two of one": {2, []sim.Job{elastic("flat"), elastic("steep")}, placed{{0, 1}, {2, 3}},
			[]string{"job 0 on [0 1] 0-10", "job 1 on [2 3] 0-10", "replica 2 on [1] 10-20", "replica 3 on [3] 10-20"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := seized(t, exact, c.replicas, c.jobs, c.on)
			for _, line := range c.want {
				if !slices.Contains(got, line) {
					t.Errorf("%q is not among %q", line, got)
				}
			}
		})
	}
}

// A replica that sleeps gives its GPU to training after sleep_s.
func TestSleepEnds(t *testing.T) {
	got := seized(t, "deepboot:least=0,headroom=1,protect_s=5,reuse_s=0,sleep_s=7", 1, []sim.Job{elastic("steep")},
		placed{{0}})
	if want := "replica 1 on [2] 10-32"; !slices.Contains(got, want) {
		t.Errorf("%q is not among %q", want, got)
	}
}
