package preempt

import (
	"testing"

	"tarry/env/schedtest"
)

// BenchmarkStep is a whole episode stepped from outside without evictions, BenchmarkBare the
// simulator alone without preemption, and so the same events. Both report the time per event.
func BenchmarkStep(b *testing.B) {
	c := config(b, schedtest.Busy)
	e, err := New(c, "")
	if err != nil {
		b.Fatal(err)
	}
	schedtest.BenchmarkStep(b, e, []float64{0})
}

func BenchmarkBare(b *testing.B) {
	c := config(b, schedtest.Busy)
	schedtest.BenchmarkBare(b, &c.Config, c.Dally)
}
