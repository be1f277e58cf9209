package muri

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

func policy(t testing.TB, spec string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "muri", New, spec)
}

func TestConformance(t *testing.T) {
	for _, spec := range []string{"", "key=las", "key=las2d,queues=5/60", "key=las,matching=greedy,max=3", "matching=none,max=2,block=2"} {
		t.Run(spec, func(t *testing.T) { simtest.Policy(t, policy(t, spec), simtest.Options{Seeds: 60, Allocates: true}) })
	}
}

// The simulator's placement waits for idle machines, and a job that no number of these can hold waits for ever.
func TestReplayConforms(t *testing.T) {
	for _, spec := range []string{"mode=simulator", "mode=simulator,key=las,order=worst", "mode=simulator,key=las2d,queues=5/60"} {
		t.Run(spec, func(t *testing.T) {
			simtest.Policy(t, policy(t, spec), simtest.Options{Seeds: 40, Allocates: true, MayStarve: true})
		})
	}
}
