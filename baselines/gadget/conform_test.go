package gadget

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

func policyOf(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "gadget-like", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "gadget-like", New, o.Settings("", "slot=2,moves=near", "slot=1,scale=1", "slot=3,nodes=0"))
}
