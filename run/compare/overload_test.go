package compare

import (
	"math"
	"testing"

	"tarry/run/trial"
)

// A policy is called overloaded when the queue grows in more than half of its runs; files of
// earlier versions do not state it.
func TestOverloaded(t *testing.T) {
	for want, grown := range map[string][]float64{
		"": {0, math.NaN(), 3, 0},
		"fifo is overloaded in 2 of 3 runs: the queue grows until the last arrival (jobs then ask for 9 GPUs more " +
			"than there are), and means depend on the length of the run": {5, 0, 9},
		"fifo is overloaded: the queue grows until the last arrival (jobs then ask for 5 GPUs more than there are), " +
			"and means depend on the length of the run": {5},
	} {
		var runs []*trial.Result
		for _, g := range grown {
			r := &trial.Result{}
			r.Row.OverloadGPUs = g
			runs = append(runs, r)
		}
		if got := Overloaded("fifo", runs); got != want {
			t.Errorf("%v: %q, expected %q", grown, got, want)
		}
	}
}
