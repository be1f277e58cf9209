package lyra

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

func policy(t testing.TB, params string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "lyra", New, params)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 40}
	simtest.Conform(t, "lyra", New, o.Settings("", "slot_s=0", "slot_s=7,share=greedy,left=work",
		"elastic=false,slot_s=0", "base_on=lent,extra_on=any"))
}
