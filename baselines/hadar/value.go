package hadar

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/sim"
)

// bid is a job in the queue of a round.
type bid struct {
	job    sim.JobID
	all    float64 // work, s of one reference GPU
	left   float64 // of it
	age    float64 // now - arrival, s
	best   float64 // utility at the best end
	per    float64 // best over GPUs
	placed bool
}

// utility is U of a job that ends after so many seconds from now.
func (p *Policy) utility(b *bid, after float64) float64 {
	if p.cfg.jct {
		return 1 / (b.age + after)
	}
	return b.all / (b.age + after)
}

// bids makes the queue of a round, in no order, and sets the bounds of the prices (step 3).
func (p *Policy) bids(v *sim.View) {
	p.queue = p.queue[:0]
	for k := range p.types {
		p.types[k].low, p.types[k].ln = math.Inf(1), 0 // ln holds the highest price first
	}
	for _, j := range p.active {
		all, left := p.work(v, j)
		b := bid{job: j, all: all, left: left, age: (v.Now() - p.jobs[j].submit).Seconds()}
		fast, slow := 0.0, math.Inf(1)
		for k := range p.types {
			if r := p.rate(j, k); r > 0 {
				fast, slow = max(fast, r), min(slow, r)
			}
		}
		if fast == 0 {
			continue // the speed model has no answer: it cannot run
		}
		g := float64(p.jobs[j].gpus)
		b.best = p.utility(&b, left/fast)
		b.per = b.best / g
		p.queue = append(p.queue, b)
		rounds := max(1, math.Ceil(left/slow/p.cfg.round.Seconds()))
		least := p.utility(&b, left/slow) / (4 * p.cfg.eta * rounds * g)
		for k := range p.types {
			if r := p.rate(j, k); r > 0 {
				t := &p.types[k]
				t.low = min(t.low, least)
				t.ln = max(t.ln, p.utility(&b, left/r)/g)
			}
		}
	}
	for k := range p.types {
		if t := &p.types[k]; t.ln > 0 {
			t.ln = fixmath.Log1p(t.ln/t.low - 1)
		}
	}
}

// reprice sets the price of a GPU of a machine by how many are given out.
func (p *Policy) reprice(m int32) {
	h := &p.hosts[m]
	if t := &p.types[h.kind]; h.up > 0 {
		h.price = t.low * fixmath.Exp(t.ln*float64(h.up-h.free)/float64(h.up))
	}
}

// lowest is the lowest price of a GPU that can be had; +Inf when there is none.
func (p *Policy) lowest() float64 {
	low := math.Inf(1)
	for m := range p.hosts {
		if h := &p.hosts[m]; h.free > 0 {
			low = min(low, h.price)
		}
	}
	return low
}
