package baselines_test

import (
	"context"
	"fmt"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// Every scheduler runs where its preemptions kill: the books hold, all jobs end, and many
// of them lose work. For an hour or two there is more work than
// GPUs.
func TestPreemptionsKill(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	jobs := make([]sim.Job, 16)
	for i := range jobs {
		g := int32(1) << (i % 3)
		jobs[i] = sim.Job{ID: fmt.Sprint(i), GPUs: g, Submit: sim.Time(i) * 600 * sim.Second,
			Work: sim.Time(g) * sim.Time(900+i*i*7919%5000) * sim.Second}
	}
	w, err := sim.NewWorkload("kills", jobs)
	if err != nil {
		t.Fatal(err)
	}
	killed := 0
	for _, entry := range everything() {
		t.Run(entry.Name, func(t *testing.T) {
			p, err := entry.New(param.Parse(entry.Name, ""), cluster.BestFit)
			if err != nil {
				t.Fatal(err)
			}
			a := simtest.NewAudit(w, top).Kills(true)
			e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
				Costs: sim.Costs{Kill: true, CheckpointEveryS: 50, Checkpoint: sim.Cost{FixedS: 60},
					Restore: sim.Cost{FixedS: 5}}, Check: true}, p, a)
			if err == nil {
				err = a.Close(e)
			}
			if err != nil {
				t.Fatal(err)
			}
			lost := sim.Time(0)
			for j := range sim.JobID(len(jobs)) {
				r := e.Record(j)
				if lost += r.KilledRun; r.State != sim.Done && r.State != sim.Rejected {
					t.Errorf("job %d is %v", j, r.State)
				}
			}
			if lost > 0 {
				killed++
			}
		})
	}
	if killed < 15 {
		t.Errorf("%d schedulers lose work by kills, expected more", killed)
	}
}
