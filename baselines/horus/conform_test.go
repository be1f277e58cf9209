package horus

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "horus", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 60, Laws: simtest.NullJob}
	simtest.Conform(t, "horus", New, o.Settings(
		"", "cost=gandiva,ahead=2", "most=1", "error=0.5,most=3,ahead=1",
	))
}
