package gandivafair

import (
	"math"
	"slices"
)

// allot gives the active users their shares of each type by tickets and demands, lets them trade,
// and sets the tickets of each type. It is called at a turn when the set of jobs has changed.
func (p *Policy) allot() {
	p.dirty = false
	tickets, demands, parts := p.figures[0][:0], p.figures[1][:0], p.figures[2][:0]
	for _, u := range p.active {
		o, sum := &p.users[u], 0.0
		for _, j := range o.jobs {
			sum += float64(p.gpus(j))
		}
		tickets, demands, parts = append(tickets, o.tickets), append(demands, sum), append(parts, 0)
	}
	entitle(parts, tickets, demands, float64(p.total))
	p.figures = [3][]float64{tickets, demands, parts}
	all := 0.0
	for _, x := range parts {
		all += x
	}
	if all == 0 {
		return
	}
	for i, u := range p.active {
		for k := range p.gens {
			p.users[u].gens[k].share = float64(float64(p.gens[k].gpus)*parts[i]) / all
		}
	}
	if !p.priced() {
		return
	}
	p.enter()
	traded := len(p.books.trade()) > 0
	for i, u := range p.active {
		o := &p.users[u]
		for k := range p.gens {
			s := &o.gens[k]
			s.share = p.books.share[i][k]
			w := o.tickets
			if traded {
				w = max(float64(s.share*p.tickets)/float64(p.gens[k].gpus), 1e-6*o.tickets)
			}
			p.reweigh(k, s, w)
		}
	}
}

// reweigh changes the tickets of a user for a type; what it is ahead of the minimum, in
// GPU-seconds, stays.
func (p *Policy) reweigh(k int, s *standing, w float64) {
	if w == s.weight {
		return
	}
	low := p.minimum(k, nowhere)
	s.pass = low + float64((s.pass-low)*s.weight)/w
	s.weight = w
}

// enter writes the shares and speeds of the active users into the books of the market. A user's
// speed is the mean over its jobs of the speed relative to the slowest type, so that a ratio to it
// is the mean speed-up.
func (p *Policy) enter() {
	m, n := &p.books, len(p.gens)
	m.share, m.speed = rows(m.share, len(p.active), n), rows(m.speed, len(p.active), n)
	slow := p.slowest()
	for i, u := range p.active {
		o := &p.users[u]
		clear(m.speed[i])
		for k := range o.gens {
			m.share[i][k] = o.gens[k].share
		}
		if o.pinned > 0 {
			continue
		}
		for k := range p.gens {
			for _, j := range o.jobs {
				if base, x := p.rate(j, slow), p.rate(j, k); base > 0 && x > 0 && m.speed[i][k] >= 0 {
					m.speed[i][k] += x / base / float64(len(o.jobs))
				} else {
					m.speed[i][k] = math.Inf(-1) // one of its jobs cannot run there
				}
			}
			m.speed[i][k] = max(0, m.speed[i][k])
		}
	}
}

// rows gives so many rows of n numbers; former rows are used again.
func rows(m [][]float64, many, n int) [][]float64 {
	m = slices.Grow(m[:0], many)[:many]
	for i := range m {
		if m[i] == nil { // room that append had left over
			m[i] = make([]float64, n)
		}
	}
	return m
}

// slowest is the type on which the jobs are slowest, relative to their best.
func (p *Policy) slowest() int {
	best, least := 0, math.Inf(1)
	for k := range p.gens {
		sum := 0.0
		for _, u := range p.active {
			for _, j := range p.users[u].jobs {
				top := 0.0
				for i := range p.gens {
					top = max(top, p.rate(j, i))
				}
				if top > 0 {
					sum += p.rate(j, k) / top
				}
			}
		}
		if sum < least {
			best, least = k, sum
		}
	}
	return best
}
