package static

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
	return simtest.Build(t, "static", make, text)
}

func TestConformance(t *testing.T) {
	laws := simtest.Options{Laws: simtest.AllLaws}
	simtest.Conform(t, "static", NewConsolidate, []simtest.Case{
		{Name: "consolidate", Options: laws},
		{Name: "consolidate to slots", Text: "finest=slot", Options: laws},
		{Name: "scatter", Make: NewScatter, Options: laws},
	})
}
