package gandiva

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
	return simtest.Build(t, "gandiva", make, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Alone: true, Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "gandiva", New, o.Named([][2]string{
		{"defaults", ""},
		{"short quantum", "quantum=1"},
		{"no slicing", "quantum=inf"},
		{"no affinity", "affinity=false,quantum=2"},
		{"no migration", "migrate=false,quantum=2"},
		{"eager", "defrag=0.1,quantum=0.5"},
		{"packing", "packing=true,quantum=2"},
		{"growing", "grow=true,idle_s=3,quantum=2"},
		{"all", "grow=true,idle_s=0.5,packing=true,quantum=1,defrag=0.3"},
	}))
}
