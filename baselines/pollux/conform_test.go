package pollux

import (
	"testing"

	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "pollux", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 60, Allocates: true}
	simtest.Conform(t, "pollux", New, o.Settings(
		"interval=2,population=12,generations=8", "interval=5,population=20,generations=10,avoid=false,p=0,max=5",
		"population=20,generations=10,batch=own,p=-3",
	))
}

// TestElasticLaws: on every kind of elastic job the work done is what the GPUs did.
func TestElasticLaws(t *testing.T) {
	n := simtest.CheckElastic(t, policy(t, "interval=3,population=12,generations=8"), simtest.ElasticLaws{IDs: true})
	if n < effort.Of(t, 4, 10) {
		t.Errorf("%d resizes, expected many", n)
	}
}
