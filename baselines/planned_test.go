package baselines_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tarry/catalogue/policies"
	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

// batchOf draws jobs that are there from the start, on two racks of machines with four GPUs.
func batchOf(t *testing.T, seed uint64) sim.Config {
	t.Helper()
	r := rng.Source{Seed: seed}.Stream("batch")
	top, err := cluster.New(cluster.Uniform(2, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	var jobs []sim.Job
	for k := range 12 + r.IntN(12) {
		n := int32(1 + r.IntN(8))
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(k), GPUs: n, Model: "resnet50",
			Work: sim.Time(n) * sim.Seconds(20+20000*r.Float64()*r.Float64()*r.Float64())})
	}
	w, err := sim.NewWorkload("batch", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: slower{top}, Check: true,
		Costs: sim.Costs{Checkpoint: sim.Cost{FixedS: 5}, Restore: sim.Cost{FixedS: 10}}}
}

// sumOf runs a policy and gives the exact sum of the completion times.
func sumOf(t *testing.T, cfg sim.Config, spec string) uint64 {
	t.Helper()
	e, err := sim.Run(context.Background(), cfg, freshly(t, spec, cluster.BestFit)(nil))
	if err != nil {
		t.Fatal(err)
	}
	sum, _, _ := e.Areas()
	return sum[1]
}

// bases are the policies over which a planner is tested: the catalogue's, searches with small
// populations.
func bases() (all []string) {
	for _, e := range policies.All() {
		switch e.Name {
		case "planned", "sleep", "qssf-ces": // they stand over others
		case "pollux":
			all = append(all, "pollux:interval=600,population=10,generations=4")
		case "ones":
			all = append(all, "ones:epoch_s=300,population=6,generations=2")
		default:
			all = append(all, e.Name)
		}
	}
	return all
}

// planned is the spec of a planner over a base.
func planned(base, more string) string { return "planned:base=" + param.Quote(base) + "," + more }

// With the true run times and without arrivals a planner over any policy of the catalogue is never
// worse than the policy, and it is better over most.
func TestPlannedIsNeverWorseOnABatch(t *testing.T) {
	gains, all := 0, bases()
	for _, base := range all {
		t.Run(base, func(t *testing.T) {
			better, gain, n := 0, 0.0, effort.Of(t, 2, 12)
			for seed := range uint64(n) {
				cfg := batchOf(t, seed)
				was, now := sumOf(t, cfg, base), sumOf(t, cfg, planned(base, "rollout=10,exact=true,hold=2"))
				if now > was {
					t.Errorf("batch %d: the sum of completion times is %d with the planner, %d without", seed, now, was)
				}
				if now < was {
					better++
				}
				gain += 1 - float64(now)/float64(was)
			}
			if t.Logf("better on %d of %d, %.1f %% in the mean", better, n, 100*gain/float64(n)); better > 0 {
				gains++
			}
		})
	}
	if gains < len(all)*9/10 {
		t.Errorf("better over %d of %d policies only: the planner has no effect", gains, len(all))
	}
}

// A planner over any policy of the catalogue keeps the kernel's rules, also with faults, and its
// clone decides as it does.
func TestPlannedConforms(t *testing.T) {
	for _, base := range bases() {
		t.Run(base, func(t *testing.T) {
			name, _, _ := strings.Cut(base, ":")
			o := options(name)
			o.Seeds, o.Allocates = effort.Of(t, 3, 60), true
			fresh := freshly(t, planned(base, "rollout=6,samples=2,instants=2000,epoch=0.001,hold=0.01"), cluster.BestFit)
			simtest.Policy(t, func() sim.Policy { return fresh(nil) }, o)
		})
	}
}

// Without a planner the base decides alone, and what the base lacks is an error that names it.
func TestPlannedReadsItsBase(t *testing.T) {
	cfg := batchOf(t, 1)
	for _, base := range []string{"las", "las:quantum_s=600,service=time"} {
		if was, now := sumOf(t, cfg, base), sumOf(t, cfg, planned(base, "rollout=0")); now != was {
			t.Errorf("%s: the sum is %d without a planner, expected %d", base, now, was)
		}
	}
	for spec, want := range map[string]string{
		"planned:base=fif":           `base: policy "fif": unknown`,
		"planned:base=planned":       `base: policy "planned": unknown`,
		"planned:base=las:quantum=3": `base: policy las: unknown key "quantum"`,
		"planned:hold=0":             `hold is "0"`,
	} {
		if _, _, err := policies.All().Parse(spec, cluster.BestFit); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %s", spec, err, want)
		}
	}
}
