package delay

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
	return simtest.Build(t, "delay", make, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "delay", New, o.Named([][2]string{
		{"defaults", ""},
		{"short waits", "wait_machine=3,wait_rack=5"},
		{"offered waits", "wait_machine=3,wait_rack=5,clock=offer"},
		{"for ever", "wait_machine=inf,wait_rack=inf"},
		{"count", "form=count,skips=3"},
		{"fair", "order=fair,wait_machine=2,wait_rack=2"},
		{"fair count", "order=fair,form=count,skips=0"},
	}))
}
