package baselines_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/power"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

// sleepers are the policies over which machines can sleep; caps stand over those, since boots draw.
func sleepers() []string {
	return slices.DeleteFunc(bases(), func(name string) bool {
		return slices.Contains([]string{"ce-dla-like", "powercap", "cd-gpc-like", "reclaim-aware", "mixture"}, name)
	})
}

// Over any policy of the catalogue machines that sleep keep the kernel's rules, also with faults, and
// the clone decides as the policy does.
func TestSleepConforms(t *testing.T) {
	for _, host := range sleepers() {
		t.Run(host, func(t *testing.T) {
			name, _, _ := strings.Cut(host, ":")
			o := options(name)
			o.Seeds, o.Allocates, o.Laws = effort.Of(t, 6, 60), true, 0
			for _, text := range []string{"idle_s=0,rule=timer", "idle_s=2,patience_s=1,boots=one"} {
				fresh := freshly(t, "sleep:host="+param.Quote(host)+","+text, cluster.BestFit)
				simtest.Policy(t, func() sim.Policy { return fresh(nil) }, o)
			}
		})
	}
}

// A job that its host ends with all machines on ends with machines that sleep and take 40 s to boot.
func TestSleepHasNoDeadlock(t *testing.T) {
	asleep := 0
	for _, host := range sleepers() {
		t.Run(host, func(t *testing.T) {
			for seed := range uint64(effort.Of(t, 2, 12)) {
				cfg := batchOf(t, seed)
				r := rng.Source{Seed: seed}.Stream("arrivals")
				at := sim.Time(0)
				for i := range cfg.Workload.Jobs {
					at += sim.Seconds(r.ExpFloat64() * 3000)
					cfg.Workload.Jobs[i].Submit = at
				}
				cfg.Power = &power.Model{Specs: []power.Spec{{IdleW: 500, BootW: 600, BootS: 40}}, Of: make([]int32, 4)}
				cfg.Until = 100 * at
				always, err := sim.Run(context.Background(), cfg, freshly(t, host, cluster.BestFit)(nil))
				if err != nil {
					t.Fatal(err)
				}
				sleeps := &counted{Policy: freshly(t, "sleep:host="+param.Quote(host)+",rule=break-even", cluster.BestFit)(nil)}
				e, err := sim.Run(context.Background(), cfg, sleeps)
				if err != nil {
					t.Fatal(err)
				}
				asleep += sleeps.offs
				for j := range cfg.Workload.Jobs {
					was, now := always.Record(sim.JobID(j)).State, e.Record(sim.JobID(j)).State
					if was == sim.Done && now != sim.Done {
						t.Errorf("seed %d: job %d is %v, expected done as with all machines on", seed, j, now)
					}
				}
			}
		})
	}
	if asleep == 0 {
		t.Error("no machine slept")
	}
}

// counted counts the power-offs of a policy.
type counted struct {
	sim.Policy
	offs int
}

func (c *counted) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	from := len(out)
	out = c.Policy.Decide(v, out)
	for i := range out[from:] {
		if out[from+i].Kind == sim.PowerOff {
			c.offs++
		}
	}
	return out
}
