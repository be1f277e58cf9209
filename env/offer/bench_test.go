package offer

import (
	"testing"

	"tarry/env/clustertest"
)

// BenchmarkStep is a whole episode stepped from outside with every offer taken, BenchmarkBare the simulator
// alone without timers, and so the same events. Both tell the time per event.
func BenchmarkStep(b *testing.B) {
	c := config(b, clustertest.Busy)
	e, err := New(c, "")
	if err != nil {
		b.Fatal(err)
	}
	clustertest.BenchmarkStep(b, e, []float64{1})
}

func BenchmarkBare(b *testing.B) {
	c := config(b, clustertest.Busy)
	c.Dally.Auto, c.Dally.RackLeases, c.Dally.NetLeases = false, 0, 0
	clustertest.BenchmarkBare(b, &c.Config, c.Dally)
}
