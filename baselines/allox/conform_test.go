package allox

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// policy builds a policy from settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	build := func() sim.Policy {
		p, err := New(param.Parse("policy allox", text), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	build()
	return build
}

func TestConformance(t *testing.T) {
	for _, text := range []string{"", "alpha=1", "alpha=0.4,cap=3,gangs=skip", "work=estimate"} {
		t.Run(text, func(t *testing.T) {
			simtest.Policy(t, policy(t, text), simtest.Options{Seeds: 100})
		})
	}
}
