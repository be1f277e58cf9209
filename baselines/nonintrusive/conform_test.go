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
	for _, text := range []string{"", "restart_s=0", "by=work,restart_s=2"} {
		t.Run(text, func(t *testing.T) {
			simtest.Policy(t, policy(t, text), simtest.Options{Laws: simtest.PermuteIDs})
		})
	}
}
