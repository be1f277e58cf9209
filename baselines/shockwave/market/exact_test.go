package market

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The table equals a trial of every number of steps for every capacity, with the first of equal ones.
func TestTableAgainstEveryNumber(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 400 {
		c, room := class{gpus: 1 + r.IntN(9), sum: []float64{0}}, r.IntN(300)
		var gains []float64
		for range r.IntN(60) {
			gains = append(gains, float64(1+r.IntN(20))) // often equal, as whole numbers without rounding
		}
		slices.Sort(gains)
		for _, g := range slices.Backward(gains) {
			c.sum = append(c.sum, c.sum[len(c.sum)-1]+g)
		}
		c.steps = make([]int, len(gains))
		before := []float64{0}
		for range room {
			before = append(before, before[len(before)-1]+float64(r.IntN(3)*r.IntN(30)))
		}
		c.table(before, room)
		for at := range room + 1 {
			best, took := math.Inf(-1), 0
			for m := range min(len(gains), at/c.gpus) + 1 {
				if v := before[at-m*c.gpus] + c.sum[m]; v > best {
					best, took = v, m
				}
			}
			if c.best[at] != best || int(c.took[at]) != took {
				t.Fatalf("case %d: room %d of %d for steps of %d GPUs: %v by %d steps, expected %v by %d", i, at, room,
					c.gpus, c.best[at], c.took[at], best, took)
			}
		}
	}
}
