package ones

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "ones", New, text)
}

func TestConformance(t *testing.T) {
	options := func(seeds int, allocates bool) simtest.Options {
		return simtest.Options{Seeds: seeds, Allocates: allocates, Laws: simtest.PermuteIDs | simtest.NullJob}
	}
	simtest.Conform(t, "ones", New, []simtest.Case{
		{Name: "defaults", Options: options(40, true)},
		{Name: "short epochs", Text: "epoch_s=3,passes=5", Options: options(60, true)},
		{Name: "near", Text: "epoch_s=2,place=near,every=0,predict=mean", Options: options(60, false)},
		{Name: "known", Text: "epoch_s=4,predict=lindy,sample=false,first=asked,speed=known,every=5,generations=2",
			Options: options(60, true)},
	})
}
