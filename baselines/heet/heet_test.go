package heet

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy builds a policy from settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "heet-like", New, text)
}

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		text    string
		without simtest.Trait
	}{{"", 0}, {"round=0", simtest.Costs}, {"round=8,order=fifo,measure=all", simtest.Costs}, {"round=15,least=0,balance=2,stay=0", simtest.Costs}} {
		t.Run(c.text, func(t *testing.T) {
			simtest.Policy(t, policy(t, c.text), simtest.Options{Seeds: 100, Without: c.without, Laws: simtest.NullJob})
		})
	}
}
