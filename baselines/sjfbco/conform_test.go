package sjfbco

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

func policyOf(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "sjf-bco", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "sjf-bco", New, o.Settings("", "goal=mean,steps=8",
		"by=estimate,batch=1,steps=0", "alpha=2,batch=64"))
}
