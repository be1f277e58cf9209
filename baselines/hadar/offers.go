package hadar

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// consult finds the copy of most value for a job: on one machine, or, where its least count
// needs more, on several. Of equal ones one that it has counts, then that with fewest GPUs left
// over, then the first.
func (p *Policy) consult(v *sim.View, x *fork) {
	b := &p.queue[x.bid]
	job := &p.jobs[b.job]
	x.open, x.asked = false, p.forks.step
	if x.has >= x.hi {
		return
	}
	left, had, gpus := int32(0), false, []cluster.GPU(nil)
	runs := v.Run(b.job).State() == sim.Running
	if runs {
		gpus = v.Run(b.job).Held()
	}
	var last quote
	alike := false // the next machine with as much left has the same offer
	for _, m := range p.forks.room {
		h := &p.hosts[m]
		if x.has+h.free < x.lo {
			continue
		}
		has := false
		if len(gpus) > 0 {
			lo, hi := v.Topology().MachineGPUs(int(m))
			for len(gpus) > 0 && gpus[0] < lo {
				gpus = gpus[1:]
			}
			has = len(gpus) > 0 && gpus[0] < hi
		}
		if !has && alike && h.free == last.free && h.price == last.price && h.kind == last.kind {
			continue // as the machine before it, which it can only equal
		}
		per := p.rate(b.job, int(h.kind))
		if per <= 0 || slices.ContainsFunc(x.parts, func(y part) bool { return y.host == m }) {
			continue
		}
		c := min(p.room(m, job), x.hi-x.has)
		if c -= c % x.worker; c <= 0 || x.has+c < x.lo {
			continue
		}
		if q := (quote{kind: h.kind, gpus: c, price: h.price, has: has}); !last.of(&q) {
			q.more = float64(per*float64(c)) / float64(job.gpus)
			q.payoff = p.adds(b, x.rate, q.more, runs && !has) - float64(h.price*float64(c))
			last = q
		}
		last.free, alike = h.free, !has && job.cpu == 0 && job.mem == 0
		more, payoff := last.more, last.payoff
		if by := float64(1e-9 * math.Abs(x.payoff)); x.open &&
			(payoff < x.payoff-by || payoff <= x.payoff+by && (had && !has || had == has && h.free-c >= left)) {
			continue
		}
		x.open, x.payoff, x.more, left, had = true, payoff, more, h.free-c, has
		x.offer = append(x.offer[:0], part{m, c})
	}
	if x.open || x.has > 0 || x.lo > p.free() {
		return
	}
	if !p.several(x, x.worker) && x.worker > 1 {
		p.several(x, 1) // workers that fit no machine
	}
}

// quote is the value of a copy on a machine: machines of one type and price have the same.
type quote struct {
	kind, gpus   int32
	free         int32 // of the last machine
	price        float64
	has          bool
	more, payoff float64
}

// of reports whether a quote is one for another machine too.
func (q *quote) of(o *quote) bool {
	return q.gpus == o.gpus && q.price == o.price && q.has == o.has && q.kind == o.kind
}

// adds is what a copy adds to the utility of a job. One that moves ends restart_s later.
func (p *Policy) adds(b *bid, rate, more float64, moves bool) float64 {
	was := 0.0
	if rate > 0 {
		was = p.utility(b, b.left/rate)
	}
	move := 0.0
	if moves {
		move = p.cfg.restart
	}
	return p.utility(b, move+b.left/float64(rate+more)) - was
}

// several offers a job its least count on several machines, on each a multiple of unit: of the
// fastest types first and the machines with most room.
func (p *Policy) several(x *fork, unit int32) bool {
	b := &p.queue[x.bid]
	job := &p.jobs[b.job]
	x.offer, x.more, x.payoff = x.offer[:0], 0, 0
	cost, f := 0.0, p.forks
	f.calls++
	for need := x.lo; need > 0; {
		best, most, fast := int32(-1), int32(0), 0.0
		for _, m := range f.room {
			per := p.rate(b.job, int(p.hosts[m].kind))
			if per <= 0 || per < fast || f.taken[m] == f.calls {
				continue
			}
			c := min(p.room(m, job), need)
			if c -= c % unit; c > 0 && (per > fast || c > most) {
				best, most, fast = m, c, per
			}
		}
		if best < 0 {
			return false
		}
		f.taken[best] = f.calls
		x.offer = append(x.offer, part{best, most})
		x.more += float64(fast*float64(most)) / float64(job.gpus)
		cost += float64(p.hosts[best].price * float64(most))
		need -= most
	}
	x.open, x.payoff = true, p.utility(b, b.left/x.more)-cost
	return true
}
