package miger

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
	"tarry/sim/simtest"
)

// instances is a speed model of GPUs that are cut: a job that keeps a part u of a GPU busy runs at
// min(1, c/u) in an instance with a part c of it, alone; beside others in the same instance at
// min(1, share/u), a tenth slower for each of them.
type instances struct{ top *cluster.Topology }

func (s instances) Speed(q *sim.Query) (sim.Speed, error) {
	u := q.Job.GPUUtilFrac
	if u == 0 {
		u = 1
	}
	part := 1.0
	if q.Instance > 0 {
		part = float64(s.top.MIG(s.top.Machine(q.GPUs[0])).Of(int(q.Instance)-1).Compute) / 7
	}
	mates := 0
	for _, x := range q.Peers {
		if x.Instance == q.Instance {
			mates++
		}
	}
	if mates > 0 {
		part = float64(q.ShareMilli) / 1000 / (1 + float64(mates)/10)
	}
	return sim.Speed{Rate: float64(len(q.GPUs)) * min(1, part/u), ComputeFrac: 1}, nil
}

// machines is a cluster of GPUs that can be cut, and some that cannot.
func machines(t testing.TB, gpus int, plain int) *cluster.Topology {
	t.Helper()
	rack := []cluster.Machines{{Count: 1, GPUs: gpus, MIG: "a100-40gb"}}
	if plain > 0 {
		rack = append(rack, cluster.Machines{Count: 1, GPUs: plain})
	}
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{rack}})
	if err != nil {
		t.Fatal(err)
	}
	return top
}

// drawn gives jobs of many kinds, online ones and gangs among them.
func drawn(r *rand.Rand) (js []sim.Job) {
	for i := range 10 + r.IntN(30) {
		j := sim.Job{ID: fmt.Sprint(i), GPUs: 1, Model: []string{"a", "b", "c"}[r.IntN(3)],
			Submit: sim.Time(r.IntN(60)) * sim.Second, Work: sim.Time(1+r.IntN(40)) * sim.Second,
			GPUMiB:      []int32{0, 1000, 4000, 9000, 15000, 39000, 40500}[r.IntN(7)],
			GPUUtilFrac: []float64{0, .1, .3, .5, .9}[r.IntN(5)]}
		switch r.IntN(8) {
		case 0:
			j.Priority = 1
		case 1:
			j.GPUs = int32(1 + r.IntN(3))
		case 2:
			j.CPUMilli = 10
		case 3:
			j.ShareMilli = 300
		}
		js = append(js, j)
	}
	return js
}

// books is the policy, and holds what it keeps of GPUs against the view.
type books struct {
	*Policy
	t    *testing.T
	seen map[string]int
}

func (b *books) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	before := len(out)
	out = b.Policy.Decide(v, out)
	for _, d := range out[before:] {
		if d.Instance > 0 && d.Kind == sim.Start && d.ShareMilli < 1000 {
			b.seen["beside"]++
		}
		if d.Kind == sim.Tune && d.Instance > 0 {
			b.seen["cut anew"]++
		}
		if d.Kind == sim.Tune && d.Instance == 0 {
			b.seen["share changed"]++
		}
	}
	return out
}

// check compares what the policy keeps with what is, after the decisions of an instant.
func (b *books) check(v *sim.View) {
	n := 0
	for _, j := range v.Running() {
		if k := v.Run(j).Knobs(); k.Instance > 0 {
			n++
			g := v.Run(j).Held()[0]
			c := &b.cells[g]
			if i := slices.IndexFunc(c.in(), func(r resident) bool { return r.job == j }); i < 0 ||
				c.jobs[i].at != int8(k.Instance-1) || c.jobs[i].share != k.ShareMilli {
				b.t.Fatalf("job %d is in instance %d of GPU %d with %d, kept as %+v", j, k.Instance, g, k.ShareMilli,
					c.in())
			}
			if i := slices.IndexFunc(c.in(), func(r resident) bool { return r.job == j }); c.mate(i) >= 0 {
				b.seen["pair"]++
			}
		}
	}
	kept := 0
	for g := range b.cells {
		kept += int(b.cells[g].n)
	}
	if kept != n {
		b.t.Fatalf("%d jobs in instances, %d kept", n, kept)
	}
}

// TestInstancesAtRandom: on GPUs that are cut every job ends, no job runs out of memory, every
// invariant holds, the books agree with the view, and online jobs keep their part of their speed.
func TestInstancesAtRandom(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 7))
		top := machines(t, 3, r.IntN(2)*2)
		w, err := sim.NewWorkload("instances", drawn(r))
		if err != nil {
			t.Fatal(err)
		}
		cfg := sim.Config{Workload: w, Topology: top, Speed: instances{top}, Check: true}
		if seed%3 == 0 {
			cfg.Outages = outage.Schedule{{At: 20 * sim.Second, GPU: 1}, {At: 40 * sim.Second, GPU: 1, Up: true}}.Source()
		}
		settings := []string{"", "least=0,repartition_s=0", "repartition_s=0.5,horizon_s=20,gangs=first",
			"jobs=3,pairs=false,floor=0.9", "floor=0.2,horizon_s=100000"}[seed%5]
		b := &books{policy(t, settings)().(*Policy), t, seen}
		audit := simtest.NewAudit(w, top)
		e, err := sim.New(cfg, audit)
		if err != nil {
			t.Fatal(err)
		}
		e.Permit(b.Knows())
		var out []sim.Decision
		for {
			v, ok, err := e.Next()
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if !ok {
				break
			}
			out = b.Decide(v, out[:0])
			if err := e.Apply(out); err != nil {
				t.Fatalf("seed %d, %s: %v", seed, settings, err)
			}
			b.check(v)
			for _, j := range v.Running() {
				if k := v.Run(j).Knobs(); v.Job(j).Public().Priority > 0 && k.Instance > 0 && v.Run(j).Speed().Rate < b.floor-1e-9 {
					t.Fatalf("seed %d: online job %d runs at %v, expected at least %v", seed, j, v.Run(j).Speed().Rate,
						b.floor)
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
	for what, n := range map[string]int{"beside": 800, "cut anew": 800, "share changed": 400, "pair": 2000} {
		if seen[what] < n {
			t.Errorf("%d of %q: too few", seen[what], what)
		}
	}
}

// TestResumed: a run with instances resumed from a snapshot is the same.
func TestResumed(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	top := machines(t, 3, 0)
	w, err := sim.NewWorkload("instances", drawn(r))
	if err != nil {
		t.Fatal(err)
	}
	p := policy(t, "repartition_s=0.5")()
	var whole, rest simtest.Tape
	cfg := sim.Config{Workload: w, Topology: top, Speed: instances{top}, Check: true}
	if _, err := sim.Run(context.Background(), cfg, policy(t, "repartition_s=0.5")(), &whole); err != nil {
		t.Fatal(err)
	}
	e, err := sim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	e.Permit(p.Knows())
	for range 20 {
		v, _, err := e.Next()
		if err == nil {
			err = e.Apply(p.Decide(v, nil))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	f, err := sim.New(cfg, &rest)
	if err != nil {
		t.Fatal(err)
	}
	f.Permit(p.Knows())
	if err := f.Restore(e.Snapshot()); err != nil {
		t.Fatal(err)
	}
	q := p.(*Policy).Clone()
	for {
		v, ok, err := f.Next()
		if err == nil && ok {
			err = f.Apply(q.Decide(v, nil))
		}
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
	}
	if n := len(rest.Lines); n == 0 || !slices.Equal(rest.Lines, whole.Lines[len(whole.Lines)-n:]) {
		t.Errorf("resumed: %d lines that are not the end of the complete run's", n)
	}
}
