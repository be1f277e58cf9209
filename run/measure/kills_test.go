package measure_test

import (
	"context"
	"math"
	"testing"

	"tarry/run/measure"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/simtest"
)

// killer starts job 0, kills it at 7 s for job 1 and runs it again after that.
type killer struct{}

func (killer) Knows() know.Set { return know.Nothing }

func (killer) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	both := []cluster.GPU{0, 1}
	switch {
	case v.Now() == 7*sim.Second:
		return append(out, sim.Decision{Kind: sim.Preempt}, sim.Decision{Kind: sim.Start, Job: 1, GPUs: both[:1]})
	case v.Run(0).State() == sim.Waiting:
		return append(out, sim.Decision{Kind: sim.Start, GPUs: both})
	}
	return out
}

// Job 0 on two GPUs loses 2 s of its running time, since its checkpoint at 5 s: of two finished
// jobs 1 s on the mean, and 4 GPU-seconds. Where nothing is undone there are no rows.
func TestKills(t *testing.T) {
	for every, want := range map[float64]map[string]float64{
		5: {"killed_jobs": 1, "killed_mean_s": 1, "killed_gpu_s": 4}, 7: {}} {
		w, err := sim.NewWorkload("w", []sim.Job{{ID: "a", GPUs: 2, Work: 20 * sim.Second},
			{ID: "b", GPUs: 1, Work: 3 * sim.Second, Submit: 7 * sim.Second}})
		if err != nil {
			t.Fatal(err)
		}
		top, err := cluster.New(cluster.Uniform(1, 1, 2, 1))
		if err != nil {
			t.Fatal(err)
		}
		f := &follow{Policy: killer{}, b: measure.New(top, "", nil), w: w}
		if f.e, err = sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
			Costs: sim.Costs{Kill: true, CheckpointEveryS: every}, Check: true}, f, f); err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		f.b.Rows(f.Policy, func(name, _, unit string, v float64) { got[name] = v })
		for name, v := range want {
			if math.Abs(got[name]-v) > 1e-9 {
				t.Errorf("checkpoints every %v s: %s is %v, expected %v", every, name, got[name], v)
			}
		}
		if len(got) != len(want) {
			t.Errorf("checkpoints every %v s: %v, expected %v", every, got, want)
		}
	}
}
