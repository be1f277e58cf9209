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
	for _, text := range []string{"", "alpha=1", "alpha=0.4,cap=3,gangs=hold", "work=estimate"} {
		t.Run(text, func(t *testing.T) {
			simtest.Policy(t, policy(t, text), simtest.Options{Seeds: 100})
		})
	}
}
