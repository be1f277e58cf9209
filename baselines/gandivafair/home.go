package gandivafair

import (
	"math"

	"tarry/sim"
)

// loadOf is the load of a server: the tickets of its jobs over its GPUs.
func (p *Policy) loadOf(m int32) float64 {
	s, sum := &p.servers[m], 0.0
	for i := range s.slots {
		o := &s.slots[i]
		sum += p.worth(o.user) * float64(o.homed)
	}
	if s.up == 0 {
		if sum > 0 {
			return math.Inf(1)
		}
		return 0
	}
	return sum / float64(s.up)
}

// worth is the tickets of one job of a user.
func (p *Policy) worth(u int32) float64 {
	o := &p.users[u]
	return o.tickets / float64(max(1, len(o.jobs)))
}

// ranks reports how well each type suits a job: first types of which its user has a share that it
// does not use, the fastest first; then types that it uses least beyond its share.
func (p *Policy) ranks(j sim.JobID) {
	x := &p.jobs[j]
	if len(p.rank) < len(p.gens) {
		p.rank = make([]float64, len(p.gens))
	}
	for k := range p.gens {
		switch s := &p.users[x.user].gens[k]; {
		case p.rate(j, k) == 0:
			p.rank[k] = math.Inf(1)
		case float64(s.homed) < s.share:
			p.rank[k] = 0
			for i := range p.gens {
				if p.rate(j, i) > p.rate(j, k) {
					p.rank[k]++
				}
			}
		default:
			p.rank[k] = float64(len(p.gens)) + float64(s.homed+p.gpus(j))/max(s.share, 1e-9)
		}
	}
}

// rate is the speed of a job on its GPUs of a type; 1 where speeds do not matter, 0 where the job
// cannot run.
func (p *Policy) rate(j sim.JobID, k int) float64 {
	if !p.priced() {
		return 1
	}
	return p.rates[int(j)*len(p.gens)+k]
}

// profile asks for the speed of a job on each type: on the GPUs of a first server that can hold it,
// for a wide job on the GPUs of the first servers.
func (p *Policy) profile(v *sim.View, j sim.JobID) {
	if !p.priced() {
		return
	}
	g, best := int(p.gpus(j)), 0.0
	for k := range p.gens {
		p.buf = p.buf[:0]
		for _, m := range p.gens[k].servers {
			s := &p.servers[m]
			if !p.jobs[j].wide && int(s.size) < g {
				continue
			}
			lo, hi := v.Topology().MachineGPUs(int(m))
			for x := lo; x < hi && len(p.buf) < g; x++ {
				p.buf = append(p.buf, x)
			}
		}
		p.rates[int(j)*len(p.gens)+k] = 0
		if len(p.buf) == g && p.typed(int32(k), p.demand(j).Type) {
			p.rates[int(j)*len(p.gens)+k] = v.Predict(j, sim.Placement{GPUs: p.buf, Alone: true}).Rate
		}
		best = max(best, p.rate(j, k))
	}
	for k := range p.gens {
		if best == 0 { // the speed model has no answer at all: any type may do
			p.rates[int(j)*len(p.gens)+k] = 1
		}
	}
}

// able reports whether a job may run on a type, and gets on there.
func (p *Policy) able(j sim.JobID, gen int32) bool {
	return p.typed(gen, p.demand(j).Type) && p.rate(j, int(gen)) > 0
}

// choose finds a home for a job: a server where it can start at once if there is one; of those, or
// of all, one of the type that suits it best, and of them the least loaded. A server with too many
// GPUs down is the last resort.
func (p *Policy) choose(v *sim.View, j sim.JobID) int32 {
	p.ranks(j)
	d := p.demand(j)
	best, key := nowhere, [3]float64{}
	for m := range p.servers {
		s := &p.servers[m]
		if p.roomIn(int32(m), j) < d.GPUs {
			continue
		}
		now := [3]float64{2, p.rank[s.gen], 0}
		switch {
		case !p.able(j, s.gen):
			now[0] = 4
		case s.up < d.GPUs:
			now[0] = 3
		case s.waits == 0 && len(s.pending) == 0 && !s.promised && int32(v.Free().InMachine(m)) >= d.GPUs:
			now[0] = 1
		}
		if best >= 0 && (now[0] > key[0] || now[0] == key[0] && now[1] > key[1]) {
			continue
		}
		now[2] = p.loadOf(int32(m))
		if best < 0 || now[0] < key[0] || now[1] < key[1] || now[2] < key[2] {
			best, key = int32(m), now
		}
	}
	return best
}

// balance moves jobs between types, so that users use their shares, and then between the servers of
// a type.
func (p *Policy) balance(v *sim.View) {
	if len(p.gens) > 1 {
		for _, u := range p.active {
			for _, j := range p.users[u].jobs {
				p.migrate(v, j)
			}
		}
	}
	for k := range p.gens {
		if p.gens[k].waits > 0 {
			p.even(k)
		}
	}
}

// migrate moves a small job to a type of which its user has a share that it does not use, if that
// is faster, or if the user has no share left where the job is. A running job is stopped for it.
func (p *Policy) migrate(v *sim.View, j sim.JobID) {
	x := &p.jobs[j]
	if x.wide || x.where != queued && !(x.where == runs && p.served(v, j)) {
		return
	}
	from := &p.users[x.user].gens[x.gen]
	spare := float64(from.homed-p.gpus(j)) >= from.share
	best := nowhere
	for k := range p.gens {
		s := &p.users[x.user].gens[k]
		if int32(k) == x.gen || float64(s.homed) >= s.share || p.gens[k].widest < p.gpus(j) || !p.able(j, int32(k)) {
			continue
		}
		fast, slow := p.rate(j, k), p.rate(j, int(x.gen))
		if fast > slow || spare && fast > 0 && (x.where == queued || p.gens[x.gen].waits > 0) {
			if best < 0 || fast > p.rate(j, int(best)) {
				best = int32(k)
			}
		}
	}
	if best < 0 {
		return
	}
	to, load, free := nowhere, 0.0, false
	for _, m := range p.gens[best].servers {
		s := &p.servers[m]
		if s.up < p.gpus(j) || p.roomIn(m, j) < p.gpus(j) {
			continue
		}
		f := s.waits == 0 && len(s.pending) == 0 && !s.promised && int32(v.Free().InMachine(int(m))) >= p.gpus(j)
		if l := p.loadOf(m); to < 0 || f && !free || f == free && l < load {
			to, load, free = m, l, f
		}
	}
	// it would wait, and others would not give way to it
	if to < 0 || x.where == runs && !free && p.gens[best].waits == 0 {
		return
	}
	if x.where == runs {
		if p.preempt(v, j); x.where != queued { // it writes a checkpoint; then it waits there
			p.unhome(j)
			p.home(j, to)
			return
		}
	}
	p.rehome(j, to)
}

// even moves waiting jobs from the most to the least loaded server of a type while their loads
// differ by more than the spread.
func (p *Policy) even(k int) {
	servers, mean := p.gens[k].servers, 0.0
	for _, m := range servers {
		p.servers[m].load = p.loadOf(m)
		mean += p.servers[m].load / float64(len(servers))
	}
	for range servers {
		high, low := servers[0], servers[0]
		for _, m := range servers {
			if s := &p.servers[m]; s.waits > 0 && (p.servers[high].waits == 0 || s.load > p.servers[high].load) {
				high = m
			}
			if s := &p.servers[m]; s.up > 0 && (p.servers[low].up == 0 || s.load < p.servers[low].load) {
				low = m
			}
		}
		a, b := &p.servers[high], &p.servers[low]
		if a.waits == 0 || b.up == 0 || !(a.load-b.load > float64(p.cfg.spread*mean)) {
			return
		}
		j := p.mover(a, b, low)
		if j == sim.NoJob {
			return
		}
		p.rehome(j, low)
		a.load, b.load = p.loadOf(high), p.loadOf(low)
	}
}

// mover is the waiting job of server a worth most tickets whose move to b, which is server m,
// leaves b less loaded than a was.
func (p *Policy) mover(a, b *server, m int32) sim.JobID {
	best, most := sim.NoJob, 0.0
	for i := range a.slots {
		o := &a.slots[i]
		w := p.worth(o.user)
		if w <= most || !(b.load+w/float64(b.up) < a.load) {
			continue
		}
		for _, j := range o.queue {
			if p.gpus(j) <= b.up && p.roomIn(m, j) >= p.gpus(j) {
				best, most = j, w
				break
			}
		}
	}
	return best
}
