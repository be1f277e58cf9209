package tiresias

import (
	"context"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// policy builds a policy from settings or fails the test.
func policy(t testing.TB, make func(*param.Set, cluster.Rule) (sim.Policy, error), text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "tiresias", make, text)
}

func TestConformance(t *testing.T) {
	laws := simtest.Options{Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "tiresias", New, []simtest.Case{
		{Name: "defaults", Options: laws},
		{Name: "short queues, promotion", Text: "queues=2/5/9,promote=1.5", Options: laws},
		{Name: "leftovers", Text: "queues=3,place=skew,skew_unknown=0", Options: laws},
		{Name: "skewed models wait", Text: "queues=3/8,place=skew-waits,promote=2", Options: laws},
		{Name: "fitted limit", Text: "queues=3/8,place=skew,packlimit=fit,fit_s=2,skew_unknown=0.2", Options: laws},
		{Name: "fitted limit with waits", Text: "queues=3,place=skew-waits,packlimit=fit,fit_s=0.001", Options: laws},
		{Name: "gittins, fitted limit", Text: "queues=4/20,place=skew-waits,packlimit=fit,fit_s=1", Make: NewGittins,
			Options: laws},
		{Name: "gittins", Text: "queues=4/20", Make: NewGittins, Options: laws},
		{Name: "gittins, index in all queues", Text: "queues=4/20,quantum=3,last=index", Make: NewGittins,
			Options: laws},
		{Name: "gittins, promotion", Text: "queues=2/5/9,promote=0.5,place=skew,packlimit=inf", Make: NewGittins,
			Options: laws},
	})
}

// With settings that need explicit lists.
func TestConformanceOfLists(t *testing.T) {
	simtest.Conform(t, "tiresias", New, simtest.Options{}.Settings(
		"queues=2/5/9,inside=pending-last,promote=1.5",
		"queues=2/5,inside=pending-last,demote=late",
		"queues=4,inside=submitted,every_s=3,service=held,penalty=1/2,place=consolidate",
		"queues=40,inside=submitted,ties=waiting-first,every_s=30,penalty=1/2",
		"queues=2/5,demote=late,promote=2,penalty=0.5",
		"queues=4,every_s=5,promote=1",
		"queues=40,inside=joined,every_s=6,service=held,place=emptiest",
		"queues=4/9,inside=joined,promote=1,place=emptiest",
		"queues=4/9,place=lowest,penalty=1/2",
	))
	simtest.Conform(t, "tiresias", New, simtest.Options{Without: simtest.Costs}.Settings(
		"queues=4/9,demote=whole,inside=pending-last,service=held,interrupt=0.2,promote=2",
	))
}

// With lists and the published order, Tiresias is what it is without.
func TestListsChangeNothing(t *testing.T) {
	for seed := range uint64(200) {
		cfg := tiny(t, rand.New(rand.NewPCG(seed, 3)))
		for _, promote := range []string{"", ",promote=1.5"} {
			a, err := sim.Run(context.Background(), cfg, policy(t, New, "queues=4/9.5"+promote)())
			if err != nil {
				t.Fatal(err)
			}
			p := policy(t, New, "queues=4/9.5"+promote)().(*Policy)
			p.roster = p.newRoster()
			b, err := sim.Run(context.Background(), cfg, p)
			if err != nil {
				t.Fatal(err)
			}
			for id := range cfg.Workload.Jobs {
				if x, y := a.Record(sim.JobID(id)), b.Record(sim.JobID(id)); x != y {
					t.Fatalf("seed %d%s, job %d:\n%+v\nwith lists\n%+v", seed, promote, id, x, y)
				}
			}
		}
	}
}
