package lwf

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// build gives a policy from settings or fails the test.
func build(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "lwf", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Laws: simtest.AllLaws}
	simtest.Conform(t, "lwf", New, o.Settings("", "admit=count", "admit=count,n=2,kappa=4", "admit=count,n=0,kappa=0",
		"by=estimate,alpha=0", "kappa=2"))
}

func TestSettings(t *testing.T) {
	for _, text := range []string{"kappa=-1", "n=1", "admit=count,n=-1", "admit=count,alpha=1", "alpha=-1", "admit=dual",
		"by=time"} {
		if _, err := New(param.Parse("policy lwf", text), cluster.BestFit); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
	for text, want := range map[string]know.Set{"": know.Work | know.Speed,
		"by=estimate": know.Estimate | know.Done | know.Speed} {
		if got := build(t, text)().Knows(); got != want {
			t.Errorf("%q knows %v, expected %v", text, got, want)
		}
	}
}
