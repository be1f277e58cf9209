package drf

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
	return simtest.Build(t, "drf", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 120, Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "drf", New, o.Settings(
		"", "by=vc", "by=user,tree=naive", "tree=rescaled", "misfits=hold",
		"misfits=hold,preempt=true,wait_s=1,by=vc", "preempt=true,wait_s=2",
		"preempt=true,wait_s=0.3,by=user,tree=naive",
	))
}

func TestFaults(t *testing.T) {
	for _, text := range []string{"by=group", "tree=flat", "misfits=wait", "preempt=1", "wait_s=0"} {
		if _, err := New(param.Parse("policy drf", text), cluster.BestFit); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
