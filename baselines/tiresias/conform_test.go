package tiresias

import (
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
