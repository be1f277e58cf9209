package slaq

import (
	"tarry/sim"
	"tarry/sim/plan"
)

// bid is a job that can use one more unit.
type bid struct {
	gain float64
	at   int32 // in the book
}

// before is the order of the heap: the largest gain first; of equals the job that came first.
func (a bid) before(b bid) bool { return a.gain > b.gain || a.gain == b.gain && a.at < b.at }

// order makes a binary heap of the bids.
func (p *Policy) order() {
	for i := len(p.heap)/2 - 1; i >= 0; i-- {
		p.sink(i)
	}
}

// sink moves a bid down to its place in the heap.
func (p *Policy) sink(i int) {
	b, n := p.heap[i], len(p.heap)
	for {
		k := 2*i + 1
		if k+1 < n && p.heap[k+1].before(p.heap[k]) {
			k++
		}
		if k >= n || !p.heap[k].before(b) {
			p.heap[i] = b
			return
		}
		p.heap[i] = p.heap[k]
		i = k
	}
}

// drop takes the first bid out.
func (p *Policy) drop() {
	n := len(p.heap) - 1
	p.heap[0] = p.heap[n]
	if p.heap = p.heap[:n]; n > 0 {
		p.sink(0)
	}
}

// share gives the units that are left, one by one, to the job for which one gains most. Of jobs
// that wait between epochs it gives least counts only.
func (p *Policy) share(v *sim.View, all bool) {
	p.heap = p.heap[:0]
	for i := range p.book {
		l := &p.book[i]
		s := v.Run(l.job).State()
		if s != sim.Waiting && (s != sim.Running || !all) {
			continue
		}
		if g, ok := p.gain(l); ok {
			p.heap = append(p.heap, bid{g, int32(i)})
		}
	}
	p.give(all)
}

// give serves the bids until none is left, or no GPU.
func (p *Policy) give(all bool) {
	p.order()
	left := 0
	for _, n := range p.left {
		left += n
	}
	for len(p.heap) > 0 && left > 0 {
		l := &p.book[p.heap[0].at]
		n := l.next()
		if !p.take(l, n-l.has) {
			p.drop() // nor will it ever fit at this decision
			continue
		}
		left -= n - l.has
		l.has = n
		if g, ok := p.gain(l); ok && all {
			p.heap[0].gain = g
			p.sink(0)
		} else {
			p.drop()
		}
	}
}

// take takes GPUs of a job's type off the remaining ones; a job of any type has all its GPUs of
// one, if one has as many, else the least of several.
func (p *Policy) take(l *life, n int) bool {
	t := l.typ
	if t < 0 {
		t = l.had
	}
	if t < 0 || l.typ < 0 && l.has == 0 && p.left[t] < n { // any type: that with most
		t = 0
		for i := range p.left {
			if p.left[i] > p.left[t] {
				t = i
			}
		}
	}
	if p.left[t] >= n {
		p.left[t] -= n
		l.had = t
		return true
	}
	if l.typ >= 0 || !l.wide {
		return false
	}
	sum := 0
	for _, k := range p.left {
		sum += k
	}
	if sum < n {
		return false
	}
	for i := range p.left {
		k := min(n, p.left[i])
		p.left[i] -= k
		n -= k
	}
	return true
}

// settle leads to the numbers of the book.
func (p *Policy) settle(v *sim.View, out []sim.Decision) []sim.Decision {
	p.counts = p.counts[:0]
	for _, run := range [...]bool{true, false} { // running jobs choose first: they stay where they are
		for i := range p.book {
			l := &p.book[i]
			if l.has > 0 && (v.Run(l.job).State() == sim.Running) == run {
				p.counts = append(p.counts, plan.Count{Job: l.job, GPUs: int32(l.has)})
			}
		}
	}
	return p.sizer.Decide(v, p.counts, out)
}
