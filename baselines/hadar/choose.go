package hadar

import (
	"cmp"
	"slices"

	"tarry/sim"
)

// choice is a job of the queue that is placed.
type choice struct {
	bid    int32
	lo, hi int32 // its parts in the arena
}

// search is the state of the depth-first search, and of the result.
type search struct {
	now, best       []choice
	arena, bestArea []part
	sum, most       float64
}

// plan makes the wants of a round.
func (p *Policy) plan(v *sim.View) {
	p.bids(v)
	p.open(v)
	s := &p.search
	s.now, s.best, s.arena, s.bestArea, s.sum, s.most = s.now[:0], s.best[:0], s.arena[:0], s.bestArea[:0], 0, 0
	if len(p.queue) <= p.cfg.exact {
		slices.SortFunc(p.queue, compareBids)
		p.descend(v, 0)
		s.now, s.arena = append(s.now[:0], s.best...), append(s.arena[:0], s.bestArea...)
		for _, c := range s.now {
			p.queue[c.bid].placed = true
			p.give(&p.jobs[p.queue[c.bid].job], s.arena[c.lo:c.hi], 1)
		}
	} else {
		p.greedy(v)
	}
	if p.cfg.fill || len(s.now) == 0 {
		p.fill(v)
	}
	p.assign(v)
}

func compareBids(a, b bid) int {
	return cmp.Or(cmp.Compare(b.per, a.per), cmp.Compare(a.job, b.job))
}

// take places a job of the queue in the plan.
func (p *Policy) take(i int32, parts []part) {
	s := &p.search
	lo := int32(len(s.arena))
	s.arena = append(s.arena, parts...)
	s.now = append(s.now, choice{i, lo, int32(len(s.arena))})
	p.queue[i].placed = true
	p.give(&p.jobs[p.queue[i].job], parts, 1)
}

// undo takes the last one back.
func (p *Policy) undo() {
	s := &p.search
	c := s.now[len(s.now)-1]
	p.queue[c.bid].placed = false
	p.give(&p.jobs[p.queue[c.bid].job], s.arena[c.lo:c.hi], -1)
	s.now, s.arena = s.now[:len(s.now)-1], s.arena[:c.lo]
}

// descend decides on the i-th job of the queue and all behind it: placed or passed over. Prices
// only rise, so no job's payoff exceeds its best utility less its GPUs at the lowest price.
func (p *Policy) descend(v *sim.View, i int) {
	s := &p.search
	if i == len(p.queue) {
		if s.sum > s.most {
			s.most = s.sum
			s.best, s.bestArea = append(s.best[:0], s.now...), append(s.bestArea[:0], s.arena...)
		}
		return
	}
	may, low := s.sum, p.lowest()
	for k := i; k < len(p.queue); k++ {
		b := &p.queue[k]
		may += max(0, b.best-float64(low*float64(p.jobs[b.job].gpus)))
	}
	if !(may > s.most) {
		return
	}
	if payoff, parts, ok := p.offer(v, &p.queue[i]); ok && payoff > 0 {
		p.take(int32(i), parts)
		was := s.sum
		s.sum += payoff
		p.descend(v, i+1)
		s.sum = was
		p.undo()
	}
	p.descend(v, i+1)
}

// greedy places each job of the queue that has a payoff, in the order, until no job behind can have
// one. Only the front of the queue is put in order: it is a heap.
func (p *Policy) greedy(v *sim.View) {
	n := len(p.queue)
	for i := n/2 - 1; i >= 0; i-- {
		p.sink(i, n)
	}
	free := p.free()
	for n > 0 && free > 0 {
		if p.queue[0].per <= p.lowest() {
			return
		}
		n--
		p.queue[0], p.queue[n] = p.queue[n], p.queue[0]
		p.sink(0, n)
		b := &p.queue[n]
		g := p.jobs[b.job].gpus
		if g > free {
			continue
		}
		if payoff, parts, ok := p.offer(v, b); ok && payoff > 0 {
			p.take(int32(n), parts)
			free -= g
		}
	}
}

// free is how many GPUs are not given out.
func (p *Policy) free() (n int32) {
	for m := range p.hosts {
		n += p.hosts[m].free
	}
	return n
}

// sink restores the heap of the first n below i.
func (p *Policy) sink(i, n int) {
	q := p.queue
	for {
		c := 2*i + 1
		if c >= n {
			return
		}
		if c+1 < n && compareBids(q[c+1], q[c]) < 0 {
			c++
		}
		if compareBids(q[i], q[c]) <= 0 {
			return
		}
		q[i], q[c] = q[c], q[i]
		i = c
	}
}

// fill places jobs without a payoff, in the order: all that fit, or the first if nothing is placed.
func (p *Policy) fill(v *sim.View) {
	p.rest = p.rest[:0]
	for i := range p.queue {
		if !p.queue[i].placed {
			p.rest = append(p.rest, int32(i))
		}
	}
	slices.SortFunc(p.rest, func(a, b int32) int { return compareBids(p.queue[a], p.queue[b]) })
	free := p.free()
	for _, i := range p.rest {
		b := &p.queue[i]
		if g := p.jobs[b.job].gpus; g <= free {
			if _, parts, ok := p.offer(v, b); ok {
				p.take(i, parts)
				if free -= g; !p.cfg.fill {
					break
				}
			}
		}
		if free == 0 {
			break
		}
	}
}
