package hadar

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "hadar", New, text)
}

func TestConformance(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"defaults", ""},
		{"short rounds", "round=2,restart_s=1"},
		{"greedy", "round=3,exact=0,utility=throughput,comm=0.5"},
		{"estimates", "round=4,by=estimate,fill=true,restart_s=0"},
		{"high prices", "round=5,eta=0.25,exact=2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			simtest.Policy(t, policy(t, c.text), simtest.Options{Alone: true, Laws: simtest.PermuteIDs | simtest.NullJob})
		})
	}
}

func TestForkedConformance(t *testing.T) {
	for _, c := range []struct{ name, text string }{{"defaults", ""}, {"short rounds", "round=9,restart_s=1,efficiency=0.9,aggregate_gbps=1"}, {"throughput", "round=9,utility=throughput,by=estimate,restart_s=0"}} {
		t.Run(c.name, func(t *testing.T) {
			build := func() sim.Policy {
				p, err := NewForked(param.Parse("policy hadare-like", c.text), cluster.BestFit)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			simtest.Policy(t, build, simtest.Options{Seeds: 80, Laws: simtest.PermuteIDs})
		})
	}
}
