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
	cut   int       // how many of them the relaxation takes whole
	// An optimum takes from to most of them, and leaves low to high GPU-rounds to this class and the
	// ones before it.
	from, most int
	low, high  int
	took       []int32   // room -> how many the best use of it takes
	best       []float64 // room -> the best sum with this class and those before it
}

// gangs lists the sizes, the largest first.
func (s *Solver) gangs(p *Problem) {
	s.sizes = s.sizes[:0]
	s.classOf = resize(s.classOf, len(p.Jobs))
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
	for i := range p.Jobs {
		g := p.Jobs[i].GPUs
		s.classOf[i] = slices.IndexFunc(s.sizes, func(c class) bool { return c.gpus == g })
	}
}

// exact fills given with the counts of the largest sum of logarithms with the least counts.
func (s *Solver) exact(p *Problem) {
	room := p.GPUs * p.Rounds
	for i := range p.Jobs {
		s.given[i] = s.low[i]
		room -= p.Jobs[i].GPUs * s.low[i]
	}
	s.deal(p, room)
	s.core(room)
	s.use(room)
}

// use gives what the tables state for a room to the jobs.
func (s *Solver) use(room int) {
	for k := range s.sizes {
		var before *class
		if k > 0 {
			before = &s.sizes[k-1]
		}
		s.sizes[k].table(before, room)
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

// deal gives each class its steps.
func (s *Solver) deal(p *Problem, room int) {
	for k := range s.sizes {
		c := &s.sizes[k]
		c.steps, c.sum = c.steps[:0], append(c.sum[:0], 0)
	}
	for i := range s.steps {
		t := &s.steps[i]
		if t.nth <= s.low[t.job] || t.worth <= 0 || s.classOf[t.job] < 0 {
			continue
		}
		if c := &s.sizes[s.classOf[t.job]]; (len(c.steps)+1)*c.gpus <= room {
			c.steps = append(c.steps, i)
			c.sum = append(c.sum, c.sum[len(c.sum)-1]+t.worth)
		}
	}
}

// table finds the best use of low to high free GPU-rounds with one class more. Numbers that
// differ by a multiple of the class's GPUs are one problem: with i units, k of them for the classes
// before, the sum is before(k) + sum(i-k). The sums of the steepest steps are concave, so that the
// best k never falls as i rises, and the best k of the middle i bounds all others.
func (c *class) table(before *class, room int) {
	c.took, c.best = resize(c.took, room+1), resize(c.best, room+1)
	if before == nil { // steps gain something
		for r := c.low; r <= c.high; r++ {
			most := min(len(c.steps), r/c.gpus)
			c.took[r], c.best[r] = int32(most), c.sum[most]
		}
		return
	}
	for rest := range min(c.gpus, c.high+1) {
		units := func(r int) int { return (max(0, r-rest) + c.gpus - 1) / c.gpus }
		c.halve(before.best, rest, units(c.low), (c.high-rest)/c.gpus, units(before.low), (before.high-rest)/c.gpus)
	}
}

// halve fills the table for lo to hi units, whose best use leaves from to to units to the classes
// before. Of equal uses the one with fewest steps wins.
func (c *class) halve(before []float64, rest, lo, hi, from, to int) {
	for lo <= hi {
		i := (lo + hi) / 2
		best, left := math.Inf(-1), from
		for k := min(to, i-c.from); k >= max(from, i-c.most); k-- {
			if v := before[rest+k*c.gpus] + c.sum[i-k]; v > best {
				best, left = v, k
			}
		}
		c.took[rest+i*c.gpus], c.best[rest+i*c.gpus] = int32(i-left), best
		c.halve(before, rest, lo, i-1, from, left)
		lo, from = i+1, left
	}
}
