package miger

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/baselines/miger/layout"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/series"
	"tarry/sim/service"
	"tarry/sim/simtest"
	"tarry/sim/simtest/keep"
)

// day is a load that changes at times.
func day(k float64, steps ...float64) *series.Series {
	s := &series.Series{}
	for i := 0; i < len(steps); i += 2 {
		s.Steps = append(s.Steps, series.Step{At: int64(1e6 * steps[i]), Value: k * steps[i+1]})
	}
	return s
}

// TestConformanceWithServices: every case has services, beside which jobs go.
func TestConformanceWithServices(t *testing.T) {
	o := simtest.Options{Serve: keep.Case}
	simtest.Conform(t, "miger-like", New, o.Settings(
		"", "least=0,repartition_s=0.5,horizon_s=10", "pairs=false,jobs=3,gangs=first",
	))
}

// sevenths is a speed model in which all run at the part of a GPU that they have.
type sevenths struct{ top *cluster.Topology }

func (s sevenths) Speed(q *sim.Query) (sim.Speed, error) {
	part := float64(q.ShareMilli) / 1000
	if q.Instance > 0 {
		o := s.top.MIG(s.top.Machine(q.GPUs[0])).Of(int(q.Instance) - 1)
		part = float64(float64(o.Compute)*part) / 7 / (float64(o.Milli()) / 1000)
	}
	return sim.Speed{Rate: float64(float64(len(q.GPUs)) * part), ComputeFrac: 1}, nil
}

// serving is a tape that has replicas too.
type serving struct{ tape }

func (s *serving) Serve(*service.Span)        {}
func (s *serving) Lend(int32, bool, sim.Time) {}
func (s *serving) Replica(i *sim.Interval) {
	s.lines = append(s.lines, fmt.Sprintf("replica on %v %v-%v in %s, %d", i.GPUs, i.Start, i.End,
		s.top.name(i.Instance), i.ShareMilli))
}

// TestReplicaFollowsItsLoad: one replica of 7 requests per second on one GPU of an A100, and a job of
// 60 s that runs at the part of the GPU that it has. At a load of 2.5 per second 3g suffices, which
// leaves 4g for the job: 25 s x 4/7 = 14.29 s of work. 3.5 needs 4g; the two would exchange their
// instances, so the job is stopped, and starts anew beside it: 55 s x 3/7 = 23.57 s. At 1.5 it would
// have 4g again, by an exchange: all stay. At 5 the replica needs all. At 0.5 the job comes back, and
// does the 22.14 s that are left in 38.75 s of 4g, after 5 s.
func TestReplicaFollowsItsLoad(t *testing.T) {
	top := machines(t, 1, 0)
	j := small(10, 60, 1)
	j.ID = "a"
	w, err := sim.NewWorkload("one", []sim.Job{j})
	if err != nil {
		t.Fatal(err)
	}
	var seen serving
	seen.top = names{instances{top}}
	cfg := sim.Config{Workload: w, Topology: top, Speed: sevenths{top}, Check: true,
		Operator: keep.Replicas{Until: sim.Never},
		Services: &service.Model{Services: []service.Spec{{Name: "web", Replicas: 1, RatePerS: 7,
			Load: day(1, 0, 2.5, 40, 3.5, 70, 1.5, 100, 5, 120, 0.5)}}}}
	audit := simtest.NewAudit(w, top).Serves(cfg.Services)
	e, err := sim.New(cfg, audit, &seen)
	if err != nil {
		t.Fatal(err)
	}
	p := policy(t, "")()
	e.Permit(p.Knows())
	for v, ok := play(t, e); ok; v, ok = play(t, e) {
		if err := e.Apply(p.Decide(v, nil)); err != nil {
			t.Fatal(err)
		}
	}
	if err := audit.Close(e); err != nil {
		t.Error(err)
	}
	want := []string{
		"replica on [0] 0s-10s in none, 1000",
		"0 on [0] 10s-40s in 4g.20gb at 0:4, 571, ran 25s: preempt",
		"replica on [0] 10s-40s in 3g.20gb at 4:4, 428",
		"0 on [0] 40s-100s in 3g.20gb at 4:4, 428, ran 55s: preempt",
		"replica on [0] 40s-100s in 4g.20gb at 0:4, 571",
		"replica on [0] 100s-120s in 7g.40gb at 0:8, 1000",
		"0 on [0] 120s-163.75s in 4g.20gb at 0:4, 571, ran 38.75s: finish",
		"replica on [0] 120s-163.75s in 3g.20gb at 4:4, 428",
	}
	if !slices.Equal(seen.lines, want) {
		t.Errorf("seen %q, expected %q", seen.lines, want)
	}
}

// play is the next instant of a run.
func play(t *testing.T, e *sim.Engine) (*sim.View, bool) {
	t.Helper()
	v, ok, err := e.Next()
	if err != nil {
		t.Fatal(err)
	}
	return v, ok
}

// TestServicesAtRandom: beside replicas whose loads change, every invariant holds, every job ends,
// and after each decision a replica has an instance that meets its load unless a job that was
// stopped still holds one there. Jobs beside replicas run, and are stopped.
func TestServicesAtRandom(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 37))
		top := machines(t, 3, r.IntN(2))
		w, err := sim.NewWorkload("instances", drawn(r))
		if err != nil {
			t.Fatal(err)
		}
		cfg := sim.Config{Workload: w, Topology: top, Speed: sevenths{top}, Check: true,
			Operator: keep.Replicas{Until: 300 * sim.Second}}
		if seed%3 == 0 {
			cfg.Costs.Checkpoint = sim.Cost{FixedS: 3}
		}
		var steps []float64
		for at := 0; at < 300; at += 1 + r.IntN(30) {
			steps = append(steps, float64(at), float64(r.IntN(9)))
		}
		cfg.Services = &service.Model{Latency: service.Latency(seed % 2), Services: []service.Spec{
			{Name: "web", Replicas: int32(1 + r.IntN(2)), RatePerS: 7, DeadlineS: 2, Target: 0.9, Load: day(1, steps...)},
			{Name: "chat", Replicas: 1, RatePerS: 7, StartS: 4, GPUMiB: 9000, Load: day(0.7, steps...)}}}
		audit := simtest.NewAudit(w, top).Serves(cfg.Services)
		e, err := sim.New(cfg, audit)
		if err != nil {
			t.Fatal(err)
		}
		p := policy(t, []string{"", "repartition_s=0", "pairs=false"}[seed%3])().(*Policy)
		e.Permit(p.Knows())
		for v, ok := play(t, e); ok; v, ok = play(t, e) {
			out := p.Decide(v, nil)
			if err := e.Apply(out); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			met(t, v, seen)
			for _, d := range out {
				switch {
				case d.Kind == sim.Preempt:
					seen["stopped"]++
				case d.Kind == sim.Tune && v.Services().Of(d.Job) >= 0:
					seen["tuned"]++
				}
			}
		}
		if err := audit.Close(e); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for j := range w.Jobs {
			if x := e.Record(sim.JobID(j)); x.State != sim.Done || x.OutOfMemory > 0 {
				t.Fatalf("seed %d: job %d is %v, ran out of memory %d times", seed, j, x.State, x.OutOfMemory)
			}
		}
	}
	for what, n := range map[string]int{"beside": 2000, "tuned": 800, "stopped": 400, "waits": 100} {
		if seen[what] < n {
			t.Errorf("%d of %q: too few", seen[what], what)
		}
	}
}

// met checks the instances of replicas after a decision.
func met(t *testing.T, v *sim.View, seen map[string]int) {
	t.Helper()
	s := v.Services()
	for i := range s.Len() {
		x := asked(v, i)
		for id, end := s.Replicas(i); id < end; id++ {
			if v.Run(id).State() != sim.Running {
				continue
			}
			g, in := v.Run(id).Held()[0], v.Run(id).Knobs().Instance
			d := v.Topology().MIG(v.Topology().Machine(g))
			if d == nil {
				continue
			}
			on := v.On(g)
			if len(on) > 0 {
				seen["beside"]++
			}
			switch {
			case in == 0 && len(on) > 0:
				t.Fatalf("at %v replica %d has no instance beside %v", v.Now(), id, on)
			case in == 0 || x.Met(d.Of(int(in)-1)) || layout.Least(d, &x) < 0 && len(on) == 0:
			case slices.ContainsFunc(on, func(j sim.JobID) bool { return v.Run(j).State() == sim.Draining }):
				seen["waits"]++
			default:
				t.Fatalf("at %v replica %d has %s beside %v, load %v", v.Now(), id, d.String(int(in)-1), on, x.LoadPerS)
			}
		}
	}
}
