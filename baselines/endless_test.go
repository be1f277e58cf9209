package baselines_test

import (
	"testing"

	"tarry/baselines"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// A job that no machine can hold for its CPU waits for ever. The run ends all the same once nothing else is left to happen:
// no policy asks for timers on an idle cluster.
func TestUnplaceableJobEndsTheRun(t *testing.T) {
	specs := []string{"tiresias:every_s=60,inside=submitted,place=consolidate", "tiresias:demote=late", "srtf:ties=kept,repack=true", "las:starve_s=5"}
	for _, e := range baselines.All() {
		specs = append(specs, e.Name)
	}
	for _, s := range specs {
		t.Run(s, func(t *testing.T) {
			w, err := sim.NewWorkload("two", []sim.Job{{ID: "a", GPUs: 1, Work: sim.Second, CPUMilli: 9000}, {ID: "b", GPUs: 1, Work: 900 * sim.Second, Submit: sim.Second}})
			if err != nil {
				t.Fatal(err)
			}
			shape := cluster.Uniform(1, 1, 2, 1)
			shape.Racks[0][0].CPUMilli = 8000
			top, err := cluster.New(shape)
			if err != nil {
				t.Fatal(err)
			}
			_, build, err := baselines.All().Parse(s, cluster.BestFit)
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
