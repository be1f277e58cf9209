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
		c.most, c.low, c.high = len(gains), least, room
		c.table(&class{best: before, high: room}, room)
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

// With the bounds of core the same counts are chosen as with none.
func TestCoreLeavesTheChoice(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var s, whole Solver
	narrow := 0
	for i := range 600 {
		p := drawn(r)
		for j := range p.Jobs {
			p.Jobs[j].Limit = math.Inf(1)
			if r.IntN(8) == 0 {
				p.Jobs[j].Weight = math.Pow(10, 12*r.Float64())
			}
		}
		m := p.most() * r.Float64()
		for _, v := range []*Solver{&s, &whole} {
			v.low, v.given = resize(v.low, len(p.Jobs)), resize(v.given, len(p.Jobs))
			v.begin(p)
			if !v.bounds(p, m) {
				v.bounds(p, math.Inf(1))
			}
			v.exact(p)
		}
		room := p.GPUs * p.Rounds
		for j := range p.Jobs {
			whole.given[j] = whole.low[j]
			room -= p.Jobs[j].GPUs * whole.low[j]
		}
		for k := range whole.sizes {
			c := &whole.sizes[k]
			if s.sizes[k].most-s.sizes[k].from < len(c.steps) {
				narrow++
			}
			c.from, c.most, c.low, c.high = 0, len(c.steps), 0, room
		}
		if whole.use(room); !slices.Equal(s.given, whole.given) {
			t.Fatalf("case %d: %v with bounds, %v without", i, s.given, whole.given)
		}
	}
	if narrow < 600 {
		t.Errorf("%d classes had bounds, expected more", narrow)
	}
}

// drawn is a problem of some jobs, of which a few are alike.
func drawn(r *rand.Rand) *Problem {
	p := &Problem{GPUs: 1 + r.IntN(40), Rounds: 1 + r.IntN(12), RoundS: 120, K: 1e-3,
		Bases: []float64{0, 0.2, 0.4, 0.6, 0.8, 1}, Floor: 1e-6}
	for range 1 + r.IntN(25) {
		j := Job{GPUs: []int{1, 2, 3, 4, 8}[r.IntN(5)], EpochS: 1 + 300*r.Float64(), Epochs: float64(1 + r.IntN(40)),
			Weight: 1}
		j.Done = math.Floor(j.Epochs * r.Float64())
		j.Left = (j.Epochs - j.Done) * j.EpochS
		for range 1 + r.IntN(2) {
			p.Jobs = append(p.Jobs, j)
		}
	}
	return p
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
