package elasticflow

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

func policy(t testing.TB, params string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "elasticflow", New, params)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 40}
	simtest.Conform(t, "elasticflow", New, o.Settings(
		"", "slot_s=0", "slot_s=7,surplus=most,place=near", "variant=ef,surplus=none", "variant=edf",
		"variant=edf-accessctrl,slot_s=0",
	))
}
