package sia

import (
	"slices"

	"tarry/baselines/sia/ilp"
)

// whole places a job of whole machines: free ones from the high end, and where there are too few
// those on which the most GPUs are free, whose jobs are evicted. k is its place in the queue.
func (p *placer) whole(i int32, k int) {
	x := &p.list[i]
	t := &p.lay.types[x.typ]
	need, from := x.n/t.per, len(p.store)
	for a := len(t.machines) - 1; a >= 0 && need > 0; a-- {
		if n := &p.nodes[t.machines[a]]; int(n.hi-n.lo) == t.per && n.fits(x.each) == t.per {
			p.collect(t.machines[a], t.per)
			need--
		}
	}
	for ; need > 0; need-- {
		best := int32(-1)
		for a := len(t.machines) - 1; a >= 0; a-- {
			m := t.machines[a]
			n := &p.nodes[m]
			if int(n.hi-n.lo) == t.per && n.free < t.per && (best < 0 || n.free > p.nodes[best].free) &&
				p.after(m, x) >= t.per && !slices.Contains(p.store[from:], n.lo) {
				best = m
			}
		}
		if best < 0 {
			p.store = p.store[:from]
			return
		}
		p.clear(best, t.per, x, k)
		p.collect(best, t.per)
	}
	p.give(i, from)
}

// part places a job that needs a part of a machine: where it leaves the fewest GPUs free, from the
// low end; else where the fewest GPUs are taken from smaller jobs.
func (p *placer) part(i int32, k int) {
	x := &p.list[i]
	t := &p.lay.types[x.typ]
	best := int32(-1)
	for _, m := range t.machines {
		if n := &p.nodes[m]; n.fits(x.each) >= x.n && (best < 0 || n.free < p.nodes[best].free) {
			best = m
		}
	}
	if best < 0 {
		for _, m := range t.machines {
			if n := &p.nodes[m]; p.after(m, x) >= x.n && (best < 0 || n.free > p.nodes[best].free) {
				best = m
			}
		}
		if best < 0 {
			return
		}
		p.clear(best, x.n, x, k)
	}
	from := len(p.store)
	p.collect(best, x.n)
	p.give(i, from)
}

// mixed places a job on several types.
func (p *placer) mixed(i int32) {
	x := &p.list[i]
	from := len(p.store)
	for t, n := range x.want.Parts {
		if !p.spread(x, n, p.lay.types[t].machines) { // a machine's CPU or memory binds: any other does
			p.store, p.trial = p.store[:from], p.trial[:0]
			for t := range x.want.Parts {
				p.trial = append(p.trial, p.lay.types[t].machines...)
			}
			p.spreadOver(x, x.n)
			break
		}
	}
	p.give(i, from)
}

// scatter places a job on any machines of its type, with most free GPUs first.
func (p *placer) scatter(i int32, t, n, from int) {
	p.spread(&p.list[i], n, p.lay.types[t].machines)
	p.give(i, from)
}

// spread collects n GPUs of some machines, and reports whether there are as many.
func (p *placer) spread(x *placing, n int, machines []int32) bool {
	p.trial = append(p.trial[:0], machines...)
	return p.spreadOver(x, n)
}

// spreadOver is spread on the machines of p.trial, which it uses up.
func (p *placer) spreadOver(x *placing, n int) bool {
	for n > 0 {
		best, most := -1, 0
		for a, m := range p.trial {
			if m < 0 {
				continue
			}
			if f := p.nodes[m].fits(x.each); f > most {
				best, most = a, f
			}
		}
		if best < 0 {
			return false
		}
		p.collect(p.trial[best], min(n, most))
		n -= min(n, most)
		p.trial[best] = -1
	}
	return true
}

// yields reports whether a job gives way to another: it is smaller, and neither restarting nor on
// several types.
func (p *placer) yields(o int32, x *placing) bool {
	y := &p.list[o]
	return y.n < x.n && !y.m.pinned && y.typ != ilp.Mixed
}

// after is how many GPUs of a machine a job could have if all that yield had left.
func (p *placer) after(m int32, x *placing) int {
	n := &p.nodes[m]
	free, left := n.free, n.left
	for g := n.lo; g < n.hi; g++ {
		if o := p.owner[g]; o >= 0 && p.yields(o, x) {
			free++
			left.cpu += p.list[o].each.cpu
			left.mem += p.list[o].each.mem
		}
	}
	return n.room(free, left, x.each)
}

// clear evicts jobs of a machine, the smallest first, until a job has room for n GPUs. They join
// the queue behind it.
func (p *placer) clear(m int32, n int, x *placing, k int) {
	at := &p.nodes[m]
	for at.fits(x.each) < n {
		least := int32(-1)
		for g := at.lo; g < at.hi; g++ {
			if o := p.owner[g]; o >= 0 && p.yields(o, x) && (least < 0 || p.list[o].n < p.list[least].n) {
				least = o
			}
		}
		if least < 0 {
			return
		}
		p.release(least)
		a, _ := slices.BinarySearchFunc(p.queue[k+1:], least, p.larger)
		p.queue = slices.Insert(p.queue, k+1+a, least)
	}
}
