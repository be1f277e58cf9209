package rollout_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tarry/baselines/dally"
	"tarry/baselines/variants"
	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

func evicting(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return variants.New(dally.Auto)(s, rule)
}

// The planner over victims keeps the kernel's rules, its clone decides as it does, and the same
// draws give the same run.
func TestVictimsConform(t *testing.T) {
	o := simtest.Options{Seeds: 40, Allocates: true}
	const base = "lease=60,preempt=false,evict=later,min_run=0.05,"
	simtest.Conform(t, "dally", evicting, o.Settings(
		base+"order=gittins,margin=0.5,victims=least-lost-per-gpu,rollout=6,samples=2,epoch=0",
		base+"order=psrpt,victims=last,rollout=4,samples=3,instants=200,errors=2",
		base+"order=fifo,rollout=8,exact=true,epoch=0",
		base+"order=srpt,victims=least-lost,rollout=12,exact=true,epoch=0.02,every=0.1"))
	o.Without, o.Seeds = simtest.Costs, 20
	simtest.Conform(t, "dally", evicting, o.Settings("lease=6,evict=later,order=las,rollout=6,samples=2,epoch=0"))
}

// killing is a batch in which preemptions kill.
func killing(t *testing.T, seed uint64) sim.Config {
	cfg := batch(t, seed)
	jobs := cfg.Workload.Jobs
	for i := range jobs { // the long jobs first: then there are requests
		jobs[i].Submit = sim.Time(i) * 2 * sim.Second
	}
	cfg.Costs = sim.Costs{Kill: true, CheckpointEveryS: 40, Restore: sim.Cost{FixedS: 3}}
	return cfg
}

// With the true work, and once no job arrives any more, the planner over victims is never worse than
// the rule; over all batches it is better.
func TestVictimsAreBetterThanTheRule(t *testing.T) {
	const base = "lease=60,preempt=false,order=srpt,evict=later,min_run=0.05,victims="
	for _, rule := range []string{"least-lost-per-gpu", "random"} {
		better, gain, n := 0, 0.0, effort.Of(t, 10, 40)
		for seed := range uint64(n) {
			cfg := killing(t, seed)
			was, now := victimsOf(t, cfg, base+rule), victimsOf(t, cfg, base+rule+",rollout=24,exact=true,epoch=0")
			if now < was {
				better++
			}
			gain += 1 - float64(now)/float64(was)
		}
		t.Logf("%s: better on %d of %d, %.1f %% in the mean", rule, better, n, 100*gain/float64(n))
		if better < n/2 || gain <= 0 {
			t.Errorf("%s: better on %d of %d batches only, by %.1f %% in the mean", rule, better, n, 100*gain/float64(n))
		}
	}
}

// victimsOf runs a policy of dally and gives the exact sum of the completion times.
func victimsOf(t *testing.T, cfg sim.Config, text string) uint64 {
	t.Helper()
	e, err := sim.Run(context.Background(), cfg, simtest.Build(t, "dally", evicting, text)())
	if err != nil {
		t.Fatal(err)
	}
	sum, _, _ := e.Areas()
	return sum[1]
}

// Without arrivals the planner is never worse than the rule on any batch.
func TestVictimsNeverWorseOnABatch(t *testing.T) {
	const base = "lease=60,preempt=false,order=srpt,evict=later,min_run=0.05,victims=last"
	better := 0
	for seed := range uint64(effort.Of(t, 10, 40)) {
		cfg := batch(t, seed)
		cfg.Costs = sim.Costs{Kill: true, CheckpointEveryS: 40, Restore: sim.Cost{FixedS: 3}}
		was, now := victimsOf(t, cfg, base), victimsOf(t, cfg, base+",rollout=24,exact=true,epoch=0")
		if now > was {
			t.Errorf("batch %d: the sum of completion times is %d with the planner, %d without", seed, now, was)
		}
		if now < was {
			better++
		}
	}
	if better == 0 {
		t.Error("better on no batch: the planner has no effect")
	}
}

// A bound on instants that no play keeps leaves the rule as it is, and so does an epoch that does not
// end; the cost of comparisons is counted.
func TestVictimsBound(t *testing.T) {
	const base = "lease=60,preempt=false,order=srpt,evict=later,min_run=0.05,victims=last"
	for seed := range uint64(4) {
		cfg := killing(t, seed)
		was := victimsOf(t, cfg, base)
		if now := victimsOf(t, cfg, base+",rollout=8,exact=true,epoch=0,instants=1"); now != was {
			t.Errorf("batch %d: %d with a bound of one instant, expected %d as without a planner", seed, now, was)
		}
		p := simtest.Build(t, "dally", evicting, base+",rollout=8,exact=true,epoch=0,instants=500")()
		if _, err := sim.Run(context.Background(), cfg, p); err != nil {
			t.Fatal(err)
		}
		plans, instants := p.(interface{ Planned() (int64, int64) }).Planned()
		if plans < 1 || instants < 2*plans {
			t.Errorf("batch %d: %d comparisons played %d instants", seed, plans, instants)
		}
	}
}

// A planner without evictions, and one over coupled speeds, are refused.
func TestVictimsAreRefused(t *testing.T) {
	_, err := evicting(param.Parse("dally", "rollout=4"), cluster.BestFit)
	if err == nil || !strings.Contains(err.Error(), "rollout is 4 with evict=none, expected evict=later") {
		t.Errorf("error %v", err)
	}
	cfg := killing(t, 1)
	cfg.Speed = together{cfg.Speed.(spread)}
	_, err = sim.Run(context.Background(), cfg, simtest.Build(t, "dally", evicting,
		"lease=60,evict=later,order=srpt,rollout=4")())
	if err == nil || !strings.Contains(fmt.Sprint(err), "who else runs") {
		t.Errorf("the error is %v, expected one of rollout about who else runs", err)
	}
}
