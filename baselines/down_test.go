package baselines_test

import (
	"context"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// The first job arrives while the whole cluster is down: every scheduler waits, and runs it and
// the next one once the machine is back.
func TestAllIsDownAtFirst(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 1, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("down", []sim.Job{{ID: "a", GPUs: 2, Work: 100 * sim.Second, Submit: 10 * sim.Second},
		{ID: "b", GPUs: 1, Work: 50 * sim.Second, Submit: 20 * sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range everything() {
		t.Run(entry.Name, func(t *testing.T) {
			p, err := entry.New(param.Parse(entry.Name, ""), cluster.BestFit)
			if err != nil {
				t.Fatal(err)
			}
			down := outage.Schedule{{GPU: -1}, {At: 300 * sim.Second, GPU: -1, Up: true}}
			e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
				Outages: down.Source(), Check: true}, p)
			if err != nil {
				t.Fatal(err)
			}
			for j := range sim.JobID(2) {
				if r := e.Record(j); r.State != sim.Done || r.Start < 300*sim.Second {
					t.Errorf("job %d is %v, started at %v, expected an end after the machine is back", j, r.State, r.Start)
				}
			}
		})
	}
}
