package hadar

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "hadar", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Alone: true, Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "hadar", New, o.Named([][2]string{
		{"defaults", ""},
		{"short rounds", "round=2,restart_s=1"},
		{"greedy", "round=3,exact=0,utility=throughput,comm=0.5"},
		{"estimates", "round=4,by=estimate,fill=true,restart_s=0"},
		{"high prices", "round=5,eta=0.25,exact=2"},
	}))
}

func TestForkedConformance(t *testing.T) {
	o := simtest.Options{Seeds: 80, Laws: simtest.PermuteIDs}
	simtest.Conform(t, "hadare-like", NewForked, o.Named([][2]string{
		{"defaults", ""},
		{"short rounds", "round=9,restart_s=1,efficiency=0.9,aggregate_gbps=1"},
		{"throughput", "round=9,utility=throughput,by=estimate,restart_s=0"},
	}))
}
