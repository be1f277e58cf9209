package iadeep

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "iadeep", New, text)
}

func TestConformance(t *testing.T) {
	options := func(seeds int, allocates bool) simtest.Options {
		return simtest.Options{Seeds: seeds, Allocates: allocates, Laws: simtest.PermuteIDs | simtest.NullJob}
	}
	simtest.Conform(t, "iadeep", New, []simtest.Case{
		{Name: "defaults", Options: options(60, false)},
		{Name: "shared", Text: "unknown=share,trial=0.5,iterations=6", Options: options(100, true)},
		{Name: "crowded", Text: "unknown=share,trial=0.01,most=9,iterations=3,bound=lower,enough=3",
			Options: options(60, true)},
		{Name: "untuned", Text: "unknown=share,tune=false,trial=1", Options: options(40, true)},
	})
}
