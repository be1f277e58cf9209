package lucid

import (
	"testing"

	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "lucid", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 60, Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "lucid", New, o.Settings(
		"", "profile_s=3,step_s=4", "profile_s=3,step_s=4,sharing=always,keep=0/0,profile_machines=1",
		"profile_s=5,profiler=ideal,sharing=always,keep=0.4/0.3", "profiler=off,sharing=always,scores=usage,busy=1/1",
		"profiler=off,few=0,step_s=2,keep=0/0", "profiler=off,sharing=never",
	))
}

func setOf(text string) *param.Set { return param.Parse("policy lucid", text) }
