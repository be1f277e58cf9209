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

// Where draws depend on what else is there, or jobs may starve, the laws do not hold.
func TestConformance(t *testing.T) {
	laws := simtest.Options{Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "ffdl", New, []simtest.Case{
		{Name: "defaults", Options: laws},
		{Name: "at once", Text: "poll_s=0,place=spread", Options: laws},
		{Name: "polls", Text: "poll_s=3,limit=any:3+fast:2", Options: laws},
		{Name: "samples", Text: "poll_s=7,place=bsa,limit=none,goal=spread,samples=5"},
		{Name: "weighed", Text: "poll_s=0,place=ratio,shape=0:2+50:10+100:0,weights=gpu:2+mem:0,balance=3",
			Options: laws},
		{Name: "quotas", Text: "poll_s=0,quota=free", Options: laws},
		{Name: "one by one", Text: "poll_s=0,gang=false,limit=none", Options: simtest.Options{MayStarve: true}},
	})
}

func TestFaults(t *testing.T) {
	for _, text := range []string{"limit=a", "limit=a:0", "limit=:3", "place=bsa,gang=false", "quota=free,gang=false",
		"place=worst", "poll_s=-1", "samples=0"} {
		if _, err := New(param.Parse("policy ffdl", text), cluster.BestFit); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
