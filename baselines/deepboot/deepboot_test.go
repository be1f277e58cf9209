package deepboot

import (
	"testing"

	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "deepboot", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 60, Allocates: true}
	simtest.Conform(t, "deepboot", New, o.Settings("interval=2", "interval=5,max=5,restart=0", "jobs=3,batch=own"))
}

// On every kind of elastic job the work done is what the GPUs did.
func TestElasticLaws(t *testing.T) {
	n := simtest.CheckElastic(t, policy(t, "interval=3"), simtest.ElasticLaws{IDs: true})
	if n < effort.Of(t, 4, 10) {
		t.Errorf("%d resizes, expected many", n)
	}
}
