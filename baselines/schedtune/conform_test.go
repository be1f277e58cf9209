package schedtune

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "schedtune", New, text)
}

func TestConformance(t *testing.T) {
	options := func(seeds int) simtest.Options {
		return simtest.Options{Seeds: seeds, Laws: simtest.PermuteIDs | simtest.NullJob}
	}
	simtest.Conform(t, "schedtune", New, []simtest.Case{
		{Name: "defaults", Options: options(80)},
		{Name: "shared", Text: "unknown=share,most=3", Options: options(120)},
		{Name: "crowded", Text: "avoid=false,most=9,block=true", Options: options(80)},
	})
}
