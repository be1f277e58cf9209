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
	o := simtest.Options{Seeds: 60, Allocates: true}
	simtest.Conform(t, "muri", New, o.Settings(
		"", "key=las", "key=las2d,queues=5/60", "key=las,matching=greedy,max=3", "matching=none,max=2,block=2",
	))
}
