package allox

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy builds a policy from settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "allox", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 100}
	simtest.Conform(t, "allox", New, o.Settings("", "alpha=1", "alpha=0.4,cap=3,gangs=hold", "work=estimate"))
}
