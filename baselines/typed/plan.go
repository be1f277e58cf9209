package typed

import (
	"math"
	"slices"

	"tarry/sim"
)

// choose takes pairs, the least score first, until no GPU is left: each job gets the type of its
// first pair for which there are enough. If not all is planned anew, running jobs keep what they
// have.
func (p *Policy) choose(v *sim.View, anew bool) {
	p.open(v)
	p.pairs, p.turns = p.pairs[:0], p.turns[:0]
	if p.cfg.pair[price] != 0 {
		p.prices()
	}
	for _, j := range p.active {
		p.to[j] = none
		switch s := v.Run(j).State(); {
		case s == sim.Running && !anew:
			p.keep(v, j)
		case p.competes(v, j, anew):
			p.offer(v, j)
		}
	}
	p.heapify()
	left := int32(0)
	for _, n := range p.free {
		left += n
	}
	for len(p.pairs) > 0 && left > 0 {
		x := p.pop()
		if n := p.books.Demand(x.job).GPUs; p.to[x.job] == none && n <= left && p.claim(x.on, n) {
			p.to[x.job] = x.on
			p.turns = append(p.turns, x.job)
			left -= n
		}
	}
}

// open counts the GPUs of each type: all that are free, held or being given up. That changes only
// where GPUs fail or are repaired.
func (p *Policy) open(v *sim.View) {
	if p.counted {
		copy(p.free, p.up)
		return
	}
	p.place.Begin(v)
	for _, j := range p.active {
		if s := v.Run(j).State(); s == sim.Running || s == sim.Draining {
			p.place.Vacate(v, j, p.books.Demand(j))
		}
	}
	for k := range p.free {
		p.free[k] = int32(v.Free().Type(k).Total())
	}
	copy(p.up, p.free)
	p.counted = true
}

// keep plans what a running job has.
func (p *Policy) keep(v *sim.View, j sim.JobID) {
	for _, g := range v.Run(j).Held() {
		p.free[v.Topology().TypeOf(v.Topology().Machine(g))]--
	}
	p.to[j] = wide
	for k := range p.free {
		if p.on(v, j, k) {
			p.to[j] = int8(k)
		}
	}
	p.turns = append(p.turns, j)
}

// competes reports whether the pairs of a job are in the plan.
func (p *Policy) competes(v *sim.View, j sim.JobID, anew bool) bool {
	s := v.Run(j).State()
	return s == sim.Waiting || s == sim.Running && anew
}

// tooWide reports whether no type has enough GPUs for a job that takes any.
func (p *Policy) tooWide(j sim.JobID) bool {
	d := p.books.Demand(j)
	return d.Type == "" && d.GPUs > slices.Max(p.size)
}

// offer adds the pairs of a job.
func (p *Policy) offer(v *sim.View, j sim.JobID) {
	own, _ := p.by.Rank(v, j)
	if p.tooWide(j) {
		p.pairs = append(p.pairs, pair{p.unless(j, Wide, own), j, wide})
		return
	}
	for k := range p.free {
		if !math.IsInf(p.rate(j, k), -1) {
			p.pairs = append(p.pairs, pair{p.unless(j, k, p.score(v, j, k, own)), j, int8(k)})
		}
	}
}

// claim takes GPUs of a type out of the plan, if there are enough.
func (p *Policy) claim(on int8, n int32) bool {
	if on >= 0 {
		if p.free[on] < n {
			return false
		}
		p.free[on] -= n
		return true
	}
	for k := range p.free { // of any types; there are enough in all
		c := min(n, p.free[k])
		p.free[k] -= c
		n -= c
	}
	return true
}
