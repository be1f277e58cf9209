package market

import (
	"cmp"
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
		least := r.IntN(room + 1)
		c.table(before, least, room)
		for at := least; at <= room; at++ {
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

// Steps are sorted as by comparisons: by worth per GPU, the largest first, then as they are listed.
func TestSteepest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var s Solver
	for i := range 300 {
		p := &Problem{}
		s.steps = s.steps[:0]
		for j := range 1 + r.IntN(40) {
			p.Jobs = append(p.Jobs, Job{GPUs: 1 << r.IntN(4)})
			for k := range r.IntN(20) {
				s.steps = append(s.steps, step{j, k + 1, []float64{float64(r.IntN(5) - 1), r.NormFloat64(),
					math.Copysign(0, -1), 1e-300 * r.Float64()}[r.IntN(4)]})
			}
		}
		want := slices.Clone(s.steps)
		slices.SortStableFunc(want, func(a, b step) int {
			return cmp.Compare(b.worth/float64(p.Jobs[b.job].GPUs), a.worth/float64(p.Jobs[a.job].GPUs))
		})
		if s.steepest(p); !slices.Equal(s.steps, want) {
			t.Fatalf("case %d: %v, expected %v", i, s.steps, want)
		}
	}
}
