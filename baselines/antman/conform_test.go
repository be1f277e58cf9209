package antman

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "antman", New, text)
}

func TestConformance(t *testing.T) {
	options := func(seeds int) simtest.Options {
		return simtest.Options{Seeds: seeds, Laws: simtest.PermuteIDs | simtest.NullJob}
	}
	simtest.Conform(t, "antman", New, []simtest.Case{
		{Name: "defaults", Options: options(80)},
		{Name: "shared", Text: "unknown=0.4,wait=1,period=2", Options: options(120)},
		{Name: "drawn", Text: "guaranteed=fraction,fraction=0.6,unknown=0.1,period=0.5,least=5", Options: options(80)},
		{Name: "none", Text: "guaranteed=none,unknown=0.2,util=3", Options: options(40)},
		{Name: "beside replicas", Options: simtest.Options{Seeds: 60, Serve: serve}},
		{Name: "most beside replicas", Text: "guaranteed=none,util=3,wait=1", Options: simtest.Options{Seeds: 60,
			Serve: serve}},
		{Name: "priority", Text: "guaranteed=priority,quota=3,unknown=0.3,room=0", Options: options(40)},
	})
}
