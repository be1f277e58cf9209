package ffdl

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
	return simtest.Build(t, "ffdl", New, text)
}

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name, text string
		starve     bool
	}{
		{"defaults", "", false},
		{"at once", "poll_s=0,place=spread", false},
		{"polls", "poll_s=3,limit=any:3+fast:2", false},
		{"samples", "poll_s=7,place=bsa,limit=none,goal=spread,samples=5", false},
		{"weighed", "poll_s=0,place=ratio,shape=0:2+50:10+100:0,weights=gpu:2+mem:0,balance=3", false},
		{"quotas", "poll_s=0,quota=free", false},
		{"one by one", "poll_s=0,gang=false,limit=none", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := simtest.Options{Laws: simtest.PermuteIDs | simtest.NullJob, MayStarve: c.starve}
			if c.starve || c.name == "samples" { // their draws depend on what else is there
				o.Laws = 0
			}
			simtest.Policy(t, policy(t, c.text), o)
		})
	}
}

func TestFaults(t *testing.T) {
	for _, text := range []string{"limit=a", "limit=a:0", "limit=:3", "place=bsa,gang=false", "quota=free,gang=false", "place=worst", "poll_s=-1", "samples=0"} {
		if _, err := New(param.Parse("policy ffdl", text), cluster.BestFit); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
