package slaq

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "slaq", New, text)
}

func TestConformance(t *testing.T) {
	options := func(seeds int, allocates bool) simtest.Options {
		return simtest.Options{Seeds: seeds, Allocates: allocates, Laws: simtest.PermuteIDs | simtest.NullJob}
	}
	simtest.Conform(t, "slaq", New, []simtest.Case{
		{Name: "defaults", Options: options(60, false)},
		{Name: "short epochs", Text: "epoch=30,half=20", Options: options(0, true)},
		{Name: "by range", Text: "epoch=25,half=5,norm=range,points=4,fade=1", Options: options(60, true)},
		{Name: "fair", Text: "epoch=30,by=fair", Options: options(60, true)},
	})
}
