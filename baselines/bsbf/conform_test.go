package bsbf

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// maker builds policies from settings or fails the test.
func maker(t testing.TB, make func(*param.Set, cluster.Rule) (sim.Policy, error), text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "sjf-bsbf", make, text)
}

func TestConformance(t *testing.T) {
	cases := simtest.Options{Laws: simtest.AllLaws}.Settings("", "place=jobs", "order=gpu-time,by=estimate")
	t.Run("sjf-bsbf", func(t *testing.T) { simtest.Conform(t, "sjf-bsbf", New, cases) })
	t.Run("sjf-ffs", func(t *testing.T) { simtest.Conform(t, "sjf-ffs", NewFFS, cases) })
}
