package pollux

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "pollux", New, text)
}

func TestConformance(t *testing.T) {
	for _, text := range []string{"interval=2,population=12,generations=8", "interval=5,population=20,generations=10,avoid=false,p=0,max=5", "population=20,generations=10,batch=own,p=-3"} {
		t.Run(text, func(t *testing.T) {
			simtest.Policy(t, policy(t, text), simtest.Options{Seeds: 60, Allocates: true})
		})
	}
}

// TestElasticLaws: on every kind of elastic job the work done is what the GPUs did.
func TestElasticLaws(t *testing.T) {
	n := simtest.CheckElastic(t, policy(t, "interval=3,population=12,generations=8"), simtest.ElasticLaws{IDs: true})
	if n < 10 {
		t.Errorf("%d resizes, expected many", n)
	}
}
