package speed

import (
	"context"
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
)

// script starts each job on the GPUs it names as soon as the job has arrived.
type script map[sim.JobID][]cluster.GPU

func (script) Knows() know.Set { return know.Nothing }

func (s script) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for j := range sim.JobID(v.NumJobs()) {
		if v.Run(j).State() == sim.Waiting {
			out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: s[j]})
		}
	}
	return out
}

// In a run, a job is slowed exactly while its neighbour runs: while both share an uplink it
// progresses at the shared rate, before and after at its own.
func TestContendedInARun(t *testing.T) {
	m := contended(t, Contention{})
	a, b := job(0, 0, 4), job(1, 1, 5)
	place(t, m, a)
	alone, err := m.Speed(a)
	if err != nil {
		t.Fatal(err)
	}
	place(t, m, b)
	shared, err := m.Speed(a)
	if err != nil {
		t.Fatal(err)
	}
	m.Reset()

	// Job 0 works for 1000 GPU seconds from 0; job 1, from 100 s, for 50 at the shared rate.
	w, err := sim.NewWorkload("two", []sim.Job{
		{ID: "0", GPUs: 2, Work: 1000 * sim.Second, Model: "bert-large"},
		{ID: "1", Submit: 100 * sim.Second, GPUs: 2, Work: 50 * sim.Second, Model: "bert-large"},
	})
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: m.c.topo, Speed: m, Check: true},
		script{0: a.GPUs, 1: b.GPUs})
	if err != nil {
		t.Fatal(err)
	}
	end0, end1 := e.Record(0).End, e.Record(1).End
	together := 50 / shared.Rate
	want1 := 100 + together
	want0 := want1 + (1000-100*alone.Rate-50)/alone.Rate
	if shared.Rate >= alone.Rate {
		t.Fatalf("sharing does not slow: %v and %v", shared.Rate, alone.Rate)
	}
	if math.Abs(end1.Seconds()-want1) > 1e-5 || math.Abs(end0.Seconds()-want0) > 1e-5 {
		t.Errorf("ends at %v and %v, want %v and %v", end0, end1, want0, want1)
	}
}
