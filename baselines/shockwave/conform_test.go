package shockwave

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

func policy(t testing.TB, spec string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "shockwave", New, spec)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 40}
	simtest.Conform(t, "shockwave", New, o.Settings(
		"", "round_s=7,future_rounds=3,k=10", "policy=max-min,round_s=11", "policy=gandiva-fair,round_s=20",
	))
}
