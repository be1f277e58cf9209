package asrpt

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

func policyOf(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "a-srpt", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "a-srpt", New, o.Settings(
		"", "heavy=inf", "heavy=1,delay=3", "heavy=1.01,delay=0.5", "early=false", "early=false,heavy=1,delay=3",
		"place=consolidate", "place=delay,delay_machine_s=3,delay_rack_s=4",
	))
}

func TestSettings(t *testing.T) {
	for _, text := range []string{"heavy=0.9", "delay=-1", "delay=inf", "wait=3"} {
		if _, err := New(param.Parse("policy a-srpt", text), cluster.BestFit); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
	for text, want := range map[string]know.Set{"": know.Estimate | know.Speed,
		"heavy=inf": know.Estimate, "delay=0": know.Estimate} {
		if got := policyOf(t, text)().Knows(); got != want {
			t.Errorf("%q knows %v, expected %v", text, got, want)
		}
	}
}
