package market

import (
	"math"
	"slices"
)

// class is the jobs of one gang size.
type class struct {
	gpus  int
	steps []int     // indices in Solver.steps beyond the least counts, the steepest first
	sum   []float64 // of the first m of them
	took  []int32   // room -> how many the best use of it takes
	best  []float64 // room -> the best sum with this class and those before it
}

// gangs lists the sizes, the largest first.
func (s *Solver) gangs(p *Problem) {
	s.sizes = s.sizes[:0]
	for i := range p.Jobs {
		g := p.Jobs[i].GPUs
		if g > p.GPUs || slices.ContainsFunc(s.sizes, func(c class) bool { return c.gpus == g }) {
			continue
		}
		if n := len(s.sizes); n < cap(s.sizes) { // with its memory
			s.sizes = s.sizes[:n+1]
			s.sizes[n].gpus = g
		} else {
			s.sizes = append(s.sizes, class{gpus: g})
		}
	}
	slices.SortFunc(s.sizes, func(a, b class) int { return b.gpus - a.gpus })
}

// exact fills given with the counts of the largest sum of logarithms with the least counts.
func (s *Solver) exact(p *Problem) {
	room := p.GPUs * p.Rounds
	for i := range p.Jobs {
		s.given[i] = s.low[i]
		room -= p.Jobs[i].GPUs * s.low[i]
	}
	for k := range s.sizes {
		c := &s.sizes[k]
		c.steps, c.sum = c.steps[:0], append(c.sum[:0], 0)
	}
	for i := range s.steps {
		t := &s.steps[i]
		if t.nth <= s.low[t.job] || t.worth <= 0 {
			continue
		}
		for k := range s.sizes {
			if c := &s.sizes[k]; c.gpus == p.Jobs[t.job].GPUs && (len(c.steps)+1)*c.gpus <= room {
				c.steps = append(c.steps, i)
				c.sum = append(c.sum, c.sum[len(c.sum)-1]+t.worth)
			}
		}
	}
	var before []float64
	for k := range s.sizes {
		least := 0
		if k == len(s.sizes)-1 {
			least = room // nothing else is asked of the last one
		}
		s.sizes[k].table(before, least, room)
		before = s.sizes[k].best
	}
	for k := len(s.sizes) - 1; k >= 0; k-- {
		c := &s.sizes[k]
		m := int(c.took[room])
		for _, i := range c.steps[:m] {
			s.given[s.steps[i].job]++
		}
		room -= m * c.gpus
	}
}

// table finds the best use of least to room free GPU-rounds with one class more. Numbers that
// differ by a multiple of the class's GPUs are one problem: with i units, k of them for the classes
// before, the sum is before(k) + sum(i-k). The sums of the steepest steps are concave, so that the
// best k never falls as i rises, and the best k of the middle i bounds all others.
func (c *class) table(before []float64, least, room int) {
	c.took, c.best = slices.Grow(c.took[:0], room+1)[:room+1], slices.Grow(c.best[:0], room+1)[:room+1]
	if before == nil { // steps gain something
		for r := least; r <= room; r++ {
			most := min(len(c.steps), r/c.gpus)
			c.took[r], c.best[r] = int32(most), c.sum[most]
		}
		return
	}
	for rest := range min(c.gpus, room+1) {
		last := (room - rest) / c.gpus
		c.halve(before, rest, (max(0, least-rest)+c.gpus-1)/c.gpus, last, 0, last)
	}
}

// halve fills the table for lo to hi units, whose best use leaves from to to units to the classes
// before. Of equal uses the one with fewest steps wins.
func (c *class) halve(before []float64, rest, lo, hi, from, to int) {
	for lo <= hi {
		i := (lo + hi) / 2
		best, left := math.Inf(-1), 0
		for k := min(to, i); k >= max(from, i-len(c.steps)); k-- {
			if v := before[rest+k*c.gpus] + c.sum[i-k]; v > best {
				best, left = v, k
			}
		}
		c.took[rest+i*c.gpus], c.best[rest+i*c.gpus] = int32(i-left), best
		c.halve(before, rest, lo, i-1, from, left)
		lo, from = i+1, left
	}
}
