package powerflow

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

func policy(t testing.TB, params string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "powerflow", New, params)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 40}
	simtest.Conform(t, "powerflow", New, o.Settings("", "slot_s=0", "budget=0.5,slot_s=7,idle=1", "budget=inf,clocks=1",
		"first=arrival,counts=placed,slot_s=0,clock_min=0.3,clocks=9", "budget_kwh=0.001"))
}
