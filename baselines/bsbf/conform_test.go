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
	return func() sim.Policy {
		p, err := make(param.Parse("policy sjf-bsbf", text), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
}

func TestConformance(t *testing.T) {
	for _, text := range []string{"", "place=jobs", "order=gpu-time,by=estimate"} {
		t.Run("sjf-bsbf "+text, func(t *testing.T) {
			simtest.Policy(t, maker(t, New, text), simtest.Options{Laws: simtest.AllLaws})
		})
		t.Run("sjf-ffs "+text, func(t *testing.T) {
			simtest.Policy(t, maker(t, NewFFS, text), simtest.Options{Laws: simtest.AllLaws})
		})
	}
}
