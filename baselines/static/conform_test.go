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
	for _, c := range []struct {
		name, text string
		make       func(*param.Set, cluster.Rule) (sim.Policy, error)
	}{
		{"consolidate", "", NewConsolidate},
		{"consolidate to slots", "finest=slot", NewConsolidate},
		{"scatter", "", NewScatter},
	} {
		t.Run(c.name, func(t *testing.T) {
			simtest.Policy(t, policy(t, c.make, c.text), simtest.Options{Laws: simtest.AllLaws})
		})
	}
}
