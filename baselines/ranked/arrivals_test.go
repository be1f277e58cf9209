package ranked

import (
	"math"
	"testing"

	"tarry/sim"
)

// The lull is near 0 while jobs come, 1 in a list that came at once, and a half after 128 mean gaps
// without a job.
func TestLull(t *testing.T) {
	at := func(minutes float64) sim.Time { return sim.Seconds(60 * minutes) }
	for _, c := range []struct {
		came []float64 // minutes
		now  float64
		want float64
	}{
		{nil, 5, 0},
		{[]float64{0}, 500, 0},
		{[]float64{0, 0, 0}, 0, 1},
		{[]float64{7, 7}, 500, 1},
		{[]float64{0, 10, 20}, 20, 0},
		{[]float64{0, 10, 20}, 20 + 128*10, 0.5},
		{[]float64{0, 5, 20, 30}, 30 + 384*10, 0.75},
	} {
		var a arrivals
		for _, m := range c.came {
			a.note(at(m), 1)
		}
		if got := a.lull(at(c.now)); got != c.want {
			t.Errorf("%v, now %v: %v, expected %v", c.came, c.now, got, c.want)
		}
	}
}

// The doubt follows the mean spread of what came.
func TestDoubt(t *testing.T) {
	for _, c := range []struct {
		spreads []float64
		want    float64
	}{{nil, 0}, {[]float64{0.6, 1}, 0}, {[]float64{0.8, 0.9}, 0.5}, {[]float64{1, 1.2}, 1}} {
		var a arrivals
		for i, s := range c.spreads {
			a.note(sim.Time(i), s)
		}
		if got := a.doubt(); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v: %v, expected %v", c.spreads, got, c.want)
		}
	}
}
