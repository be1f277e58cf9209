package simtest

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Build gives fresh policies of one kind with some settings, which are those of its parameters as text; place is best fit. Wrong settings fail the test.
func Build(t testing.TB, kind string, fresh func(*param.Set, cluster.Rule) (sim.Policy, error), text string) func() sim.Policy {
	t.Helper()
	build := func() sim.Policy {
		p, err := fresh(param.Parse("policy "+kind, text), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	build()
	return build
}
