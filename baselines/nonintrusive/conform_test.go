package nonintrusive

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "nonintrusive-like", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Laws: simtest.PermuteIDs}
	simtest.Conform(t, "nonintrusive-like", New, o.Settings("", "restart_s=0", "by=work,restart_s=2"))
}
