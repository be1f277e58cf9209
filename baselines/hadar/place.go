package hadar

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// part is a number of GPUs of a machine.
type part struct{ host, gpus int32 }

// finder holds what the search for a placement of one job needs.
type finder struct {
	parts, best []part
	types       []int
	gpus        []cluster.GPU
}

// room is how many GPUs of a machine a job can have, given what is left.
func (p *Policy) room(m int32, x *job) int32 {
	h := &p.hosts[m]
	n := h.free
	if x.cpu > 0 && h.cpu < math.MaxInt64 {
		n = min(n, int32(min(int64(n), h.cpu/int64(x.cpu))))
	}
	if x.mem > 0 && h.mem < math.MaxInt64 {
		n = min(n, int32(min(int64(n), h.mem/int64(x.mem))))
	}
	return n
}

// offer finds the placement of a job with the largest payoff at the present prices; the parts are
// valid until the next call. ok is false when it fits nowhere. Of equal payoffs the first counts:
// where the job is, one machine, several.
func (p *Policy) offer(v *sim.View, b *bid) (payoff float64, parts []part, ok bool) {
	f, x := &p.find, &p.jobs[b.job]
	f.best, payoff = f.best[:0], math.Inf(-1)
	move := 0.0
	if v.Run(b.job).State() == sim.Running {
		move = p.cfg.restart
		p.present(v, b.job)
		p.consider(v, b, &payoff, 0, v.Predict(b.job, sim.Placement{GPUs: v.Run(b.job).Held(), Alone: true}).Rate)
	}
	f.types = f.types[:0]
	for k := range p.types {
		if p.rate(b.job, k) > 0 {
			f.types = append(f.types, k)
		}
	}
	slices.SortStableFunc(f.types, func(i, k int) int {
		switch a, c := p.rate(b.job, i), p.rate(b.job, k); {
		case a > c:
			return -1
		case a < c:
			return 1
		}
		return 0
	})
	for n, k := range f.types {
		if m := p.cheapest(p.types[k].machines, x, x.gpus); m >= 0 {
			f.parts = append(f.parts[:0], part{m, x.gpus})
			p.consider(v, b, &payoff, move, p.rate(b.job, k))
		}
		if x.gpus > 1 && p.spread(f.types[:n+1], x) {
			p.consider(v, b, &payoff, move, p.speed(v, b.job))
		}
	}
	return payoff, f.best, len(f.best) > 0
}

// present makes parts of what a job holds, if the plan has them; else of nothing.
func (p *Policy) present(v *sim.View, j sim.JobID) {
	f := &p.find
	f.parts = f.parts[:0]
	for _, g := range v.Run(j).Held() {
		m := int32(v.Topology().Machine(g))
		if n := len(f.parts); n == 0 || f.parts[n-1].host != m {
			f.parts = append(f.parts, part{host: m})
		}
		f.parts[len(f.parts)-1].gpus++
	}
	for _, y := range f.parts {
		if p.room(y.host, &p.jobs[j]) < y.gpus {
			f.parts = f.parts[:0]
			return
		}
	}
}

// cheapest is the machine with the lowest price that has room for n GPUs of a job, -1 if none has.
func (p *Policy) cheapest(of []int32, x *job, n int32) int32 {
	best := int32(-1)
	for _, m := range of {
		if h := &p.hosts[m]; h.free >= n && (best < 0 || h.price < p.hosts[best].price) && p.room(m, x) >= n {
			best = m
		}
	}
	return best
}

// spread makes parts of the cheapest GPUs of some types, all that a machine has before the next
// one; it reports whether there are enough.
func (p *Policy) spread(types []int, x *job) bool {
	f := &p.find
	f.parts = f.parts[:0]
	for left := x.gpus; left > 0; {
		best := int32(-1)
		for _, k := range types {
			for _, m := range p.types[k].machines {
				if h := &p.hosts[m]; h.free > 0 && (best < 0 || h.price < p.hosts[best].price) && p.room(m, x) > 0 &&
					!slices.ContainsFunc(f.parts, func(y part) bool { return y.host == m }) {
					best = m
				}
			}
		}
		if best < 0 {
			return false
		}
		n := min(left, p.room(best, x))
		f.parts = append(f.parts, part{best, n})
		left -= n
	}
	slices.SortFunc(f.parts, func(a, b part) int { return int(a.host - b.host) })
	return true
}

// speed is the speed of a job on the parts: on the first GPUs of each machine.
func (p *Policy) speed(v *sim.View, j sim.JobID) float64 {
	f := &p.find
	f.gpus = f.gpus[:0]
	for _, y := range f.parts {
		lo, _ := v.Topology().MachineGPUs(int(y.host))
		for i := range y.gpus {
			f.gpus = append(f.gpus, lo+cluster.GPU(i))
		}
	}
	return v.Predict(j, sim.Placement{GPUs: f.gpus, Alone: true}).Rate
}

// consider keeps the parts if their payoff is larger than the largest so far (step 4).
func (p *Policy) consider(_ *sim.View, b *bid, payoff *float64, move, rate float64) {
	f := &p.find
	if len(f.parts) == 0 || rate <= 0 {
		return
	}
	cost := 0.0
	for _, y := range f.parts {
		cost += float64(p.hosts[y.host].price * float64(y.gpus))
	}
	if len(f.parts) > 1 {
		cost += float64(p.cfg.comm * cost)
	}
	if got := p.utility(b, move+b.left/rate) - cost; got > *payoff {
		*payoff = got
		f.best = append(f.best[:0], f.parts...)
	}
}

// give books parts for a job, or with sign -1 takes them back.
func (p *Policy) give(x *job, parts []part, sign int32) {
	for _, y := range parts {
		h := &p.hosts[y.host]
		h.free -= sign * y.gpus
		if h.cpu < math.MaxInt64 {
			h.cpu -= int64(sign*y.gpus) * int64(x.cpu)
		}
		if h.mem < math.MaxInt64 {
			h.mem -= int64(sign*y.gpus) * int64(x.mem)
		}
		p.reprice(y.host)
	}
}
