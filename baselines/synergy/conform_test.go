package synergy

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "synergy", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 60, Laws: simtest.PermuteIDs}
	simtest.Conform(t, "synergy", New, o.Settings(
		"", "round_s=7,order=las", "round_s=16,mechanism=greedy,order=srtf",
		"round_s=16,mechanism=proportional,order=ftf,stay=false", "round_s=20,mechanism=opt,order=ftf,near=0.5",
	))
}

func TestSettings(t *testing.T) {
	for params, want := range map[string]string{
		"order=sjf":  `policy synergy: order is "sjf", expected fifo, las, srtf, ftf; did you mean "srtf"?`,
		"round_s=0":  `policy synergy: round_s is "0", expected a number in 0.001..1e+09`,
		"mechanism=": `policy synergy: mechanism is "", expected tune, greedy, proportional, opt`,
	} {
		_, err := New(param.Parse("policy synergy", params), cluster.BestFit)
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, expected %s", params, err, want)
		}
	}
	for params, want := range map[string]know.Set{"": know.Speed, "order=las": know.Speed,
		"order=srtf": know.Speed | know.Work, "order=ftf": know.Speed | know.Work} {
		if got := policy(t, params)().Knows(); got != want {
			t.Errorf("%q knows %v, expected %v", params, got, want)
		}
	}
}
