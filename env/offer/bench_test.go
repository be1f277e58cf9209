package offer

import (
	"testing"

	"tarry/env/schedtest"
)

// BenchmarkStep is a whole episode stepped from outside with every offer taken, BenchmarkBare the
// simulator alone without timers, and so the same events. Both report the time per event.
func BenchmarkStep(b *testing.B) {
	c := config(b, schedtest.Busy)
	e, err := New(c, "")
	if err != nil {
		b.Fatal(err)
	}
	schedtest.BenchmarkStep(b, e, []float64{1})
}

func BenchmarkBare(b *testing.B) {
	c := config(b, schedtest.Busy)
	c.Dally.Auto, c.Dally.RackLeases, c.Dally.NetLeases = false, 0, 0
	schedtest.BenchmarkBare(b, &c.Config, c.Dally)
}
