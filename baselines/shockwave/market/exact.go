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
		s.sizes[k].table(before, room)
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

// table finds the best use of each room with one class more.
func (c *class) table(before []float64, room int) {
	c.took, c.best = slices.Grow(c.took[:0], room+1)[:room+1], slices.Grow(c.best[:0], room+1)[:room+1]
	for r := range room + 1 {
		most := min(len(c.steps), r/c.gpus)
		if before == nil { // steps gain something
			c.took[r], c.best[r] = int32(most), c.sum[most]
			continue
		}
		best, took := math.Inf(-1), 0
		for m := range most + 1 {
			if v := before[r-m*c.gpus] + c.sum[m]; v > best {
				best, took = v, m
			}
		}
		c.took[r], c.best[r] = int32(took), best
	}
}
