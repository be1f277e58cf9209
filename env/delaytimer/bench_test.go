package delaytimer

import (
	"testing"

	"tarry/env/schedtest"
)

// BenchmarkStep is a whole episode stepped from outside, BenchmarkBare the simulator
// alone with the same timers, and so the same events. Both report the time per event.
func BenchmarkStep(b *testing.B) {
	c := config(b, schedtest.Busy)
	c.Horizon = 0
	e, err := New(c, "")
	if err != nil {
		b.Fatal(err)
	}
	action := make([]float64, 2*Classes)
	constant(6, 12)(nil, nil, action)
	schedtest.BenchmarkStep(b, e, action)
}

func BenchmarkBare(b *testing.B) {
	c := config(b, schedtest.Busy)
	c.Dally.Auto = false
	schedtest.BenchmarkBare(b, &c.Config, c.Dally)
}
