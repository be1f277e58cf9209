package simtest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
)

// Law is a set of metamorphic laws: a change of the input with a known change of the output.
type Law uint8

const (
	// PermuteIDs: other names for the jobs change nothing, when no two arrive together.
	PermuteIDs Law = 1 << iota
	// ScaleTimes: times (submits, work, costs, outages and the policy's own) k times as long make
	// every time of the outcome exactly k times as long.
	ScaleTimes
	// NullJob: a job that arrives after all has ended changes no other job.
	NullJob
	// AllLaws are all of them.
	AllLaws = PermuteIDs | ScaleTimes | NullJob
)

func laws(t *testing.T, make func() sim.Policy, o Options) {
	for _, l := range []struct {
		law  Law
		name string
		try  func(*testing.T, lawCase, func() sim.Policy, Options)
	}{{PermuteIDs, "permute ids", permuteIDs}, {ScaleTimes, "scale times", scaleTimes},
		{NullJob, "null job", nullJob}} {
		if o.Laws&l.law == 0 {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			for seed := range uint64(effort.Of(t, 20, 60)) {
				l.try(t, drawLaw(t, seed, o.Without), make, o)
			}
		})
	}
}

// lawCase is a case in which exact arithmetic is possible: whole GPUs, whole seconds.
type lawCase struct {
	seed  uint64
	jobs  []sim.Job
	top   *cluster.Topology
	costs [3]float64 // start, checkpoint, restore, in seconds
	fails outage.Schedule
}

func drawLaw(t *testing.T, seed uint64, without Trait) lawCase {
	r := rand.New(rand.NewPCG(seed, 0x1a35))
	top, err := cluster.New(drawCluster(r, false, false))
	if err != nil {
		t.Fatal(err)
	}
	c := lawCase{seed: seed, top: top}
	at := sim.Time(0)
	for i := range 2 + r.IntN(20) {
		g := sim.Time(1 + r.IntN(top.GPUs()))
		if r.IntN(3) > 0 {
			g = sim.Time(1 + r.IntN(min(4, top.GPUs())))
		}
		at += sim.Time(1+r.IntN(4)) * sim.Second
		c.jobs = append(c.jobs, sim.Job{ID: fmt.Sprint(i), Model: "a", User: "u", VC: "x", GPUs: int32(g), Submit: at,
			Work: g * sim.Time(1+r.IntN(20)) * sim.Second})
	}
	if seed%4 == 3 && without&Elastic == 0 { // draws nothing, so that all else is as it was
		for i := range c.jobs {
			j := &c.jobs[i]
			j.MinGPUs, j.MaxGPUs = (j.GPUs+1)/2, 2*j.GPUs
		}
	}
	if without&Costs == 0 && r.IntN(2) == 0 {
		c.costs = [3]float64{float64(r.IntN(3)), float64(r.IntN(3)), float64(r.IntN(3))}
	}
	if without&Faults == 0 && r.IntN(3) == 0 {
		c.fails = drawFaults(r, top)
	}
	return c
}

// run gives the records of a run with all times k times as long.
func (c lawCase) run(t *testing.T, jobs []sim.Job, k sim.Time, p sim.Policy) (map[string]sim.Record, sim.Time) {
	t.Helper()
	js := append([]sim.Job(nil), jobs...)
	for i := range js {
		js[i].Submit *= k
		js[i].Work *= k
	}
	fails := append(outage.Schedule(nil), c.fails...)
	for i := range fails {
		fails[i].At *= k
	}
	w, err := sim.NewWorkload("law", js)
	if err != nil {
		t.Fatal(err)
	}
	cost := func(i int) sim.Cost { return sim.Cost{FixedS: c.costs[i] * float64(k)} }
	e, err := runBounded(sim.Config{Workload: w, Topology: c.top, Speed: Counting{}, Check: true,
		Outages: fails.Source(),
		Costs:   sim.Costs{Start: cost(0), Checkpoint: cost(1), Restore: cost(2)}}, p)
	if err != nil {
		t.Fatalf("seed %d: %v", c.seed, err)
	}
	recs := map[string]sim.Record{}
	for id := range w.Jobs {
		recs[w.Jobs[id].ID] = e.Record(sim.JobID(id))
	}
	return recs, e.Now()
}

func permuteIDs(t *testing.T, c lawCase, make func() sim.Policy, _ Options) {
	want, _ := c.run(t, c.jobs, 1, make())
	perm := rand.New(rand.NewPCG(c.seed, 3)).Perm(len(c.jobs))
	js := append([]sim.Job(nil), c.jobs...)
	for i := range js {
		js[i].ID = fmt.Sprint(perm[i])
	}
	got, _ := c.run(t, js, 1, make())
	for i := range js {
		if a, b := want[c.jobs[i].ID], got[js[i].ID]; a != b {
			t.Fatalf("seed %d: job %s as %s: %+v, before %+v", c.seed, c.jobs[i].ID, js[i].ID, b, a)
		}
	}
}

func scaleTimes(t *testing.T, c lawCase, make func() sim.Policy, o Options) {
	const k = 3
	scaled := make
	if o.Scaled != nil {
		scaled = func() sim.Policy { return o.Scaled(k) }
	}
	want, _ := c.run(t, c.jobs, 1, make())
	got, _ := c.run(t, c.jobs, k, scaled())
	for id, r := range want {
		for _, x := range []*sim.Time{&r.Start, &r.End, &r.Queue, &r.Run, &r.Overhead, &r.Lost, &r.LostRun} {
			if *x != sim.Never {
				*x *= k
			}
		}
		if r != got[id] {
			t.Fatalf("seed %d: job %s, times %d-fold: %+v, expected %+v", c.seed, id, k, got[id], r)
		}
	}
}

func nullJob(t *testing.T, c lawCase, make func() sim.Policy, _ Options) {
	want, end := c.run(t, c.jobs, 1, make())
	js := append(append([]sim.Job(nil), c.jobs...), sim.Job{ID: "null", Model: "a", User: "u", VC: "x", GPUs: 1,
		Submit: end + 1000*sim.Second, Work: sim.Second})
	got, _ := c.run(t, js, 1, make())
	for id, r := range want {
		if r != got[id] {
			t.Fatalf("seed %d: a job at the end changed job %s: %+v, before %+v", c.seed, id, got[id], r)
		}
	}
}
