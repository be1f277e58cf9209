package variants

import (
	"strings"
	"testing"

	"tarry/baselines/dally"
	"tarry/baselines/ranked"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

type maker = func(*param.Set, cluster.Rule) (sim.Policy, error)

func makeAuto(s *param.Set, rule cluster.Rule) (sim.Policy, error) { return New(dally.Auto)(s, rule) }

func makeManual(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return New(dally.Manual)(s, rule)
}

func makeNoWait(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return New(dally.NoWait)(s, rule)
}

func makeConsolidated(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return New(dally.Consolidated)(s, rule)
}

func makeRanked(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return ranked.NewPolicy(dally.Tuned)(s, rule)
}

// build gives fresh policies of one variant.
func build(t testing.TB, make maker, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "dally", make, text)
}

// Every variant keeps the kernel's rules on random small workloads.
func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name, text string
		make       maker
		laws       simtest.Law
	}{
		{"auto", "lease=6", makeAuto, simtest.NullJob},
		{"auto, long leases", "lease=3600", makeAuto, simtest.NullJob},
		{"manual", "lease=6,t_rack=1.5,t_net=3", makeAuto, simtest.NullJob},
		{"no wait", "lease=6", makeNoWait, simtest.NullJob},
		{"consolidated", "lease=6", makeConsolidated, simtest.NullJob},
		{"no preemption", "lease=6,preempt=false", makeAuto, simtest.NullJob},
		{"keep", "lease=6,renew=keep", makeAuto, simtest.NullJob},
		{"return", "lease=6,renew=return", makeAuto, simtest.NullJob},
		{"first come", "lease=6,order=fifo", makeAuto, simtest.PermuteIDs | simtest.NullJob},
		{"least service", "lease=6,order=las", makeAuto, simtest.NullJob},
		{"shortest time", "lease=6,order=srpt", makeAuto, simtest.PermuteIDs | simtest.NullJob},
		{"shortest service", "lease=6,order=srsf", makeAuto, simtest.PermuteIDs | simtest.NullJob},
		{"evictions", "lease=6,evict=later,min_run=0.3", makeAuto, simtest.PermuteIDs | simtest.NullJob},
		{"evictions at any time", "lease=6,evict=later,min_run=0,order=srsf", makeAuto,
			simtest.PermuteIDs | simtest.NullJob},
		{"evictions alone", "lease=6,evict=later,preempt=false,order=srpt", makeAuto, simtest.PermuteIDs | simtest.NullJob},
		{"evictions, return", "lease=6,evict=later,renew=return,order=srpt", makeAuto, simtest.PermuteIDs | simtest.NullJob},
		{"evictions, keep", "lease=6,evict=later,renew=keep,order=las,every=0.5", makeAuto,
			simtest.PermuteIDs | simtest.NullJob},
		{"evictions, first come", "lease=6,evict=later,order=fifo", makeAuto, simtest.PermuteIDs | simtest.NullJob},
		{"smaller starts", "lease=6,shrink=most", makeAuto, simtest.NullJob},
		{"least starts, before spreading", "lease=6,shrink=least,before=spread", makeNoWait, simtest.NullJob},
		{"growth", "lease=6,grow=idle,grow_to=max,rest=0.1", makeAuto, simtest.NullJob},
		{"growth before spreading", "lease=6,grow=before-spread,grow_to=max,rest=0", makeNoWait, simtest.NullJob},
		{"yields", "lease=6,yield=largest,rest=0", makeAuto, simtest.NullJob},
		{"yields before spreading, by loss", "lease=6,yield=loss,before=spread,rest=0.1", makeNoWait, simtest.NullJob},
		{"what has grown yields", "lease=6,yield=grown,grow=idle,grow_to=max,rest=0.1,renew=keep", makeAuto,
			simtest.NullJob},
		{"all rules", "lease=6,shrink=most,yield=largest,grow=before-spread,grow_to=max,rest=0", makeAuto, simtest.NullJob},
		{"all rules, no timers", "lease=6,shrink=least,yield=loss,before=spread,grow=idle,grow_to=max,rest=0",
			makeNoWait, simtest.NullJob},
		{"all rules, no leases", "lease=6,shrink=most,yield=largest,before=spread,grow=before-spread,grow_to=max," +
			"rest=0,preempt=false", makeAuto, simtest.NullJob},
		{"all rules, growth over machines", "lease=6,shrink=most,yield=grown,before=spread,grow=idle,grow_to=max," +
			"grow_over=any,rest=0", makeNoWait, simtest.NullJob},
		{"timers by virtual cluster", "lease=6,timers_by=vc,min_rack=1,min_net=2", makeAuto, simtest.NullJob},
		{"timers by user", "lease=6,timers_by=user,timers_of=u:0:0,renew=keep", makeAuto, simtest.NullJob},
		{"fair", "lease=6,fair=vc,order=fifo", makeAuto, simtest.PermuteIDs | simtest.NullJob},
		{"fair, timers by virtual cluster", "lease=6,fair=user,timers_by=vc,renew=return", makeAuto, simtest.NullJob},
		{"fair, backfilled", "lease=6,fair=vc,preempt=false,backfill=request", makeAuto, simtest.NullJob},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := simtest.Options{Seeds: 80, Laws: c.laws, Without: simtest.Costs}
			simtest.Policy(t, build(t, c.make, c.text), o)
			// With costs a lease must be longer than they are, or no job ever makes progress.
			o.Without, o.Laws = 0, 0
			simtest.Policy(t, build(t, c.make, strings.ReplaceAll(c.text, "lease=6", "lease=60")), o)
		})
	}
}
