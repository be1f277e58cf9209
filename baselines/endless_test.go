package baselines_test

import (
	"context"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// A job that no machine can hold for its CPU waits for ever. The run ends all the same once nothing
// else is left to happen: no policy asks for timers on an idle cluster.
func TestUnplaceableJobEndsTheRun(t *testing.T) {
	specs := []string{"tiresias-sim:every_s=60,inside=submitted", "tiresias-sim",
		"srtf-sim:repack=true", "las:starve_s=5"}
	for _, e := range everything() {
		specs = append(specs, e.Name)
	}
	for _, s := range specs {
		t.Run(s, func(t *testing.T) {
			w, err := sim.NewWorkload("two", []sim.Job{{ID: "a", GPUs: 1, Work: sim.Second, CPUMilli: 9000},
				{ID: "b", GPUs: 1, Work: 900 * sim.Second, Submit: sim.Second}})
			if err != nil {
				t.Fatal(err)
			}
			shape := cluster.Uniform(1, 1, 2, 1)
			shape.Racks[0][0].CPUMilli = 8000
			top, err := cluster.New(shape)
			if err != nil {
				t.Fatal(err)
			}
			_, build, err := everything().Parse(s, cluster.BestFit)
			if err != nil {
				t.Fatal(err)
			}
			p, err := build()
			if err != nil {
				t.Fatal(err)
			}
			e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true})
			if err != nil {
				t.Fatal(err)
			}
			e.Permit(p.Knows())
			for range 1000 {
				v, ok, err := e.Next()
				if err == nil && ok {
					err = e.Apply(p.Decide(v, nil))
				}
				if err != nil {
					t.Skipf("the policy does not look at CPU, so the kernel refuses its decision: %v", err)
				}
				if !ok {
					return
				}
			}
			t.Errorf("1000 instants and no end: job a is %v, job b %v", e.Record(0).State, e.Record(1).State)
		})
	}
}

// standing gives one job rate 0 on all GPUs.
type standing struct{ simtest.Counting }

func (s standing) Speed(q *sim.Query) (sim.Speed, error) {
	if q.Job.ID == "a" {
		return sim.Speed{ComputeFrac: 1}, nil
	}
	return s.Counting.Speed(q)
}

// A job that does nothing wherever it is put ends the run with an error under every policy that
// starts it, also under policies with leases, timers and rounds.
func TestStalledJobEndsTheRun(t *testing.T) {
	costs := sim.Costs{Checkpoint: sim.Cost{FixedS: 20}, Restore: sim.Cost{FixedS: 30}}
	for _, entry := range everything() {
		for _, c := range []sim.Costs{{}, costs} {
			w, err := sim.NewWorkload("two", []sim.Job{{ID: "a", GPUs: 1, Work: 500 * sim.Second},
				{ID: "b", GPUs: 1, Work: 900 * sim.Second}})
			if err != nil {
				t.Fatal(err)
			}
			top, err := cluster.New(cluster.Uniform(1, 1, 1, 1))
			if err != nil {
				t.Fatal(err)
			}
			p, err := entry.New(param.Parse(entry.Name, ""), cluster.BestFit)
			if err != nil {
				t.Fatal(err)
			}
			e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: standing{},
				Costs: c}, p)
			switch {
			case err != nil && !strings.Contains(err.Error(), `at rate 0, among them job "a"`):
				t.Errorf("%s: error %v", entry.Name, err)
			case err == nil && e.Record(0).State != sim.Waiting: // who sees speeds may never start it
				t.Errorf("%s: job a is %v", entry.Name, e.Record(0).State)
			case e.Events() > 200_000:
				t.Errorf("%s: %d events, expected fewer", entry.Name, e.Events())
			}
		}
	}
}
