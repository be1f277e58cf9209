package elastic

import (
	"slices"

	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/cluster"
)

// Sizes are what a contest does by Rules. It is a contest.Sizes; build it with New.
type Sizes struct {
	rules   Rules
	rest    sim.Time
	givers  []giver // scratch of yield.go, growing and spread of grow.go
	growing []contest.Entry
	spread  []cluster.GPU
}

// New are the sizes by rules one of which is on; leases have leaseS seconds.
func New(r Rules, leaseS float64) *Sizes {
	return &Sizes{rules: r, rest: contest.Leases(r.Rest, leaseS)}
}

// Copied gives an independent copy.
func (s *Sizes) Copied(dst contest.Sizes) contest.Sizes {
	c, ok := dst.(*Sizes)
	if !ok {
		c = new(Sizes)
	}
	*c = Sizes{s.rules, s.rest, c.givers[:0], c.growing[:0], c.spread[:0]}
	return c
}

// Elastic reports whether a job can run on several numbers of GPUs.
func Elastic(v *sim.View, j sim.JobID) bool {
	lo, hi := v.Job(j).Range()
	return lo < hi
}

// Least is the fewest GPUs on which a job may start.
func (s *Sizes) Least(v *sim.View, j sim.JobID) (least, step int) {
	g := v.Job(j).GPUs()
	if !Elastic(v, j) {
		return g, 1
	}
	if lo, _ := v.Job(j).Range(); s.rules.Shrink != noShrink {
		g = min(lo, g)
	}
	return g, v.Job(j).WorkerGPUs()
}

// Width is the number of GPUs of a place at a level.
func (s *Sizes) Width(f *cluster.Free, c *contest.Class, l cluster.Level) int {
	if c.GPUs > f.Largest(l) {
		return s.smaller(c, f.Largest(c.Near))
	}
	return c.GPUs
}

// smaller is the number of GPUs on which the contestants of a class start that find n near each
// other; 0 = they do not.
func (s *Sizes) smaller(c *contest.Class, n int) int {
	switch {
	case n < c.Least || c.Least == c.GPUs:
		return 0
	case s.rules.Shrink == shrinkLeast:
		return c.Least
	}
	n = min(n, c.GPUs)
	return max(c.Least, n-n%c.Step)
}

// Smaller is the candidate of a class whose candidate for a place of full size is e, at level l;
// nil = no job has one.
func (s *Sizes) Smaller(f *cluster.Free, c *contest.Class, e *contest.Entry, l cluster.Level) (*contest.Entry,
	cluster.Level) {
	n := s.smaller(c, f.Largest(c.Near))
	first := c.Best()
	if n == 0 || e == first && (l <= c.Home || !s.rules.Spread) {
		return e, l
	}
	for l = cluster.LevelSlot; f.Largest(l) < n; l++ {
	}
	return first, l
}

// Keep has an elastic job that has not as many GPUs as it finds, or of whose GPUs others took some,
// keep its GPUs rather than move.
func (s *Sizes) Keep(p *contest.Policy, v *sim.View, c *contest.Class, gr contest.Grant, all bool) contest.Grant {
	if !Elastic(v, gr.Job) {
		return gr
	}
	n, held := len(p.GPUs), v.Run(gr.Job).Held()
	want := n - gr.Lo
	for _, g := range held {
		if v.Free().Has(g) {
			p.GPUs = append(p.GPUs, g)
		}
	}
	p.Trim(v, c, n)
	switch own := len(p.GPUs) - n; {
	case own == 0:
	case own > c.GPUs: // it contests for what it asks for
		if p.GPUs = s.most(v, p.GPUs, n, c.GPUs); !v.Topology().Tighter(p.GPUs[gr.Lo:n], p.GPUs[n:]) {
			p.Stay(&gr, p.GPUs, n)
			return gr
		}
	case own >= want:
		p.GPUs = p.GPUs[:n+own/v.Job(gr.Job).WorkerGPUs()*v.Job(gr.Job).WorkerGPUs()]
		p.Stay(&gr, p.GPUs, n)
		return gr
	case all:
		if s.near(p, v, gr.Job, n, want-own); c.Asks() {
			p.Trim(v, c, n)
			p.GPUs = p.GPUs[:n+(len(p.GPUs)-n)/v.Job(gr.Job).WorkerGPUs()*v.Job(gr.Job).WorkerGPUs()]
		}
		if len(p.GPUs)-n == want || want < c.GPUs && len(p.GPUs)-n >= own {
			p.Stay(&gr, p.GPUs, n)
			return gr
		}
	}
	p.GPUs = p.GPUs[:n]
	if want == len(held) {
		return gr
	}
	gr.Kind = contest.Moves
	for _, g := range p.GPUs[gr.Lo:] {
		if o := v.Owner(g); o != sim.NoJob && o != gr.Job { // not free at once
			gr.Kind = contest.Begins
			if all && p.Carries(v, c, held) {
				p.Stay(&gr, append(p.GPUs, held...), n)
			}
			return gr
		}
	}
	return gr
}

// most cuts the GPUs from buf[n] on to g of them that lie close together: one by one the last of
// the machine, and in it of the slot, with the fewest of them goes.
func (s *Sizes) most(v *sim.View, buf []cluster.GPU, n, g int) []cluster.GPU {
	for len(buf)-n > g {
		i := loosest(v.Topology(), buf[n:], nil)
		buf = slices.Delete(buf, n+i, n+i+1)
	}
	return buf
}

// loosest is the index of the GPU that is given up first: the last of the machine, and in it of the
// slot, with the fewest. It is one of the GPUs that may go; nil = any.
func loosest(t *cluster.Topology, gpus []cluster.GPU, may func(g cluster.GPU) bool) int {
	best, fewest := -1, [2]int{}
	for i := 0; i < len(gpus); {
		m, at := t.Machine(gpus[i]), i
		for i < len(gpus) && t.Machine(gpus[i]) == m {
			i++
		}
		inMachine := i - at
		for k := at; k < i; {
			s, from, last := t.Slot(gpus[k]), k, -1
			for ; k < i && t.Slot(gpus[k]) == s; k++ {
				if may == nil || may(gpus[k]) {
					last = k
				}
			}
			if n := [2]int{inMachine, k - from}; last >= 0 &&
				(best < 0 || n[0] < fewest[0] || n[0] == fewest[0] && n[1] <= fewest[1]) {
				best, fewest = last, n
			}
		}
	}
	return best
}

// Adjust ends the contest of elastic jobs: yields for jobs that still wait, what grown holders
// keep, and growth.
func (s *Sizes) Adjust(p *contest.Policy, v *sim.View) {
	if s.rules.Yield != noYield {
		s.yieldAll(p, v)
	}
	for i := range p.Grants {
		if gr := &p.Grants[i]; gr.Kind == contest.Renews && len(v.Run(gr.Job).Held()) > gr.Hi-gr.Lo {
			s.keepMore(p, v, gr)
		}
	}
	if s.rules.Grow != noGrow {
		s.growIdle(p, v)
	}
}

// keepMore gives a holder back its GPUs that no other job took.
func (s *Sizes) keepMore(p *contest.Policy, v *sim.View, gr *contest.Grant) {
	lo := len(p.GPUs)
	p.GPUs = append(p.GPUs, p.GPUs[gr.Lo:gr.Hi]...)
	had := len(p.GPUs)
	for _, g := range v.Run(gr.Job).Held() {
		if v.Free().Has(g) {
			p.GPUs = append(p.GPUs, g)
		}
	}
	p.Trim(v, p.ClassOf(gr.Job), had)
	step := v.Job(gr.Job).WorkerGPUs()
	p.GPUs = p.GPUs[:had+(len(p.GPUs)-had)/step*step]
	v.Free().TakeAll(p.GPUs[had:])
	slices.Sort(p.GPUs[lo:])
	gr.Lo, gr.Hi = lo, len(p.GPUs)
}
