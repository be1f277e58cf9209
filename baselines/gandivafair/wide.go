package gandivafair

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// wideJob is a job wider than a server.
type wideJob struct {
	job   sim.JobID
	parts []part // what it holds or is promised; after its end or preemption what it held
}

// part is how many GPUs of a server a wide job takes.
type part struct{ server, gpus int32 }

// waitWide lets a wide job wait.
func (p *Policy) waitWide(v *sim.View, j sim.JobID) {
	x := &p.jobs[j]
	if p.wideOf(j) == nil {
		if n := len(p.wides); n < cap(p.wides) {
			p.wides = p.wides[:n+1]
		} else {
			p.wides = append(p.wides, wideJob{})
		}
		w := &p.wides[len(p.wides)-1]
		*w = wideJob{j, w.parts[:0]}
		x.home, x.gen = nowhere, p.genOf(v, j)
		if x.gen >= 0 {
			p.users[x.user].gens[x.gen].homed += p.gpus(j)
		}
	}
	for _, y := range p.wideOf(j).parts {
		p.touch(y.server)
	}
	x.where = queued
	p.count(j, 1)
}

// genOf is the type for a wide job: the type that suits its user best, of types that can hold it;
// mixed if none can.
func (p *Policy) genOf(v *sim.View, j sim.JobID) int32 {
	d, best := p.demand(j), mixed
	p.ranks(j)
	for k := range p.gens {
		if p.top.CarriesOf(k, d.PerGPU()) >= int(d.GPUs) && p.able(j, int32(k)) &&
			(best == mixed || p.rank[k] < p.rank[best]) {
			best = int32(k)
		}
	}
	return best
}

func (p *Policy) wideOf(j sim.JobID) *wideJob {
	for i := range p.wides {
		if p.wides[i].job == j {
			return &p.wides[i]
		}
	}
	return nil
}

// dropWide forgets a wide job that has ended.
func (p *Policy) dropWide(j sim.JobID) {
	if !p.jobs[j].wide {
		return
	}
	x := &p.jobs[j]
	if x.gen >= 0 {
		p.users[x.user].gens[x.gen].homed -= p.gpus(j)
	}
	i, n := slices.IndexFunc(p.wides, func(w wideJob) bool { return w.job == j }), len(p.wides)-1
	p.wides[i], p.wides[n] = p.wides[n], p.wides[i]
	p.wides = p.wides[:n]
}

// release gives the servers of a wide job back.
func (p *Policy) release(j sim.JobID) { p.book(p.wideOf(j), -1) }

func (p *Policy) book(w *wideJob, sign int32) {
	for _, x := range w.parts {
		p.servers[x.server].wide += sign * x.gpus
		p.touch(x.server)
	}
}

// unpend takes a promise back.
func (p *Policy) unpend(v *sim.View, j sim.JobID) {
	p.late(v.Now(), j)
	p.refund(v.Now(), j)
	w := p.wideOf(j)
	p.book(w, -1)
	for _, x := range w.parts {
		p.servers[x.server].promised = false
	}
	p.pendings--
	p.waitWide(v, j)
}

// wanted reports for which types a wide job waits.
func (p *Policy) wanted() []bool {
	if len(p.wantedGens) < len(p.gens) {
		p.wantedGens = make([]bool, len(p.gens))
	}
	clear(p.wantedGens)
	for i := range p.wides {
		if x := &p.jobs[p.wides[i].job]; x.where == queued {
			for k := range p.gens {
				p.wantedGens[k] = p.wantedGens[k] || x.gen == int32(k) || x.gen == mixed
			}
		}
	}
	return p.wantedGens
}

// central is the stride of the wide jobs: before the servers choose, those run whose pass is not
// above the pass of any user with smaller jobs.
func (p *Policy) central(v *sim.View) {
	if len(p.wides) == 0 {
		return
	}
	p.order = p.order[:0]
	for i := range p.wides {
		w := &p.wides[i]
		switch x := &p.jobs[w.job]; {
		case x.where == queued:
			p.order = append(p.order, int32(w.job))
		case x.where == runs && p.disputed(w) && p.served(v, w.job):
			x.candid = true
			p.book(w, -1)
			for _, y := range w.parts {
				p.servers[y.server].lent += y.gpus
			}
			p.order = append(p.order, int32(w.job))
		case x.where == runs:
			p.charge(v.Now(), w.job)
		}
	}
	slices.SortFunc(p.order, func(a, b int32) int {
		x, y := &p.jobs[a], &p.jobs[b]
		return cmp.Or(cmp.Compare(p.passOf(x.user, x.gen), p.passOf(y.user, y.gen)), cmp.Compare(x.pass, y.pass),
			cmp.Compare(a, b))
	})
	p.leasts()
	for _, i := range p.order {
		j := sim.JobID(i)
		x := &p.jobs[j]
		may := p.passOf(x.user, x.gen) <= p.leastOf(x.gen)
		switch {
		case x.candid && may && p.fits(p.wideOf(j)):
			x.candid = false
			p.book(p.wideOf(j), 1)
			p.charge(v.Now(), j)
		case x.candid: // preempted below, so that what it leaves is not promised before it is known
		case may && p.gather(v, j, false):
			p.promise(j)
			p.charge(v.Now(), j)
		}
	}
	for m := range p.servers {
		p.servers[m].lent = 0
	}
	for _, i := range p.order {
		if x := &p.jobs[i]; x.candid {
			x.candid = false
			p.book(p.wideOf(sim.JobID(i)), 1) // stopped takes it off
			p.preempt(v, sim.JobID(i))
		}
	}
}

// disputed reports whether a job waits for the servers of a wide job.
func (p *Policy) disputed(w *wideJob) bool {
	for _, x := range w.parts {
		if s := &p.servers[x.server]; s.waits > 0 || p.wantedGens[s.gen] {
			return true
		}
	}
	return false
}

// leasts finds, for each type, the least pass of the users with a candidate that its server can
// hold.
func (p *Policy) leasts() {
	p.least = p.least[:0]
	for range p.gens {
		p.least = append(p.least, math.Inf(1))
	}
	for m := range p.servers {
		s := &p.servers[m]
		for i := range s.slots {
			o := &s.slots[i]
			if pass := p.users[o.user].gens[s.gen].pass; pass < p.least[s.gen] &&
				slices.ContainsFunc(o.queue, func(j sim.JobID) bool { return p.gpus(j) <= s.up }) {
				p.least[s.gen] = pass
			}
		}
	}
}

func (p *Policy) leastOf(gen int32) float64 {
	if gen >= 0 {
		return p.least[gen]
	}
	return slices.Min(p.least)
}

// fits reports whether the servers of a running wide job still have its GPUs for it.
func (p *Policy) fits(w *wideJob) bool {
	for _, x := range w.parts {
		if s := &p.servers[x.server]; s.up-s.kept-s.wide < x.gpus {
			return false
		}
	}
	return true
}

// gather chooses servers for a wide job, with most room first: at a turn what they can make
// free, else what is free.
func (p *Policy) gather(v *sim.View, j sim.JobID, free bool) bool {
	x, d, w := &p.jobs[j], p.demand(j), p.wideOf(j)
	room := func(m int32) int32 {
		s := &p.servers[m]
		switch {
		case x.gen >= 0 && s.gen != x.gen || !p.typed(s.gen, d.Type):
			return 0
		case !free:
			return min(s.up-s.wide-s.kept, p.roomIn(m, j))
		case s.promised || len(s.pending) > 0:
			return 0
		}
		return int32(min(v.Free().InMachine(int(m)), p.place.Room(v, int(m), d)))
	}
	p.spaces, p.hosts = p.spaces[:0], p.hosts[:0]
	for m := range p.servers {
		n := room(int32(m))
		p.spaces = append(p.spaces, n)
		if n > 0 {
			p.hosts = append(p.hosts, int32(m))
		}
	}
	slices.SortFunc(p.hosts, func(a, b int32) int {
		return cmp.Or(cmp.Compare(p.spaces[b]-p.servers[b].lent, p.spaces[a]-p.servers[a].lent), cmp.Compare(a, b))
	})
	w.parts = w.parts[:0]
	left := d.GPUs
	for _, m := range p.hosts {
		n := min(left, p.spaces[m])
		w.parts = append(w.parts, part{m, n})
		if left -= n; left == 0 {
			return true
		}
	}
	w.parts = w.parts[:0]
	return false
}

// promise books a wide job on the servers that were gathered, whose GPUs need not be free yet.
func (p *Policy) promise(j sim.JobID) {
	w := p.wideOf(j)
	p.count(j, -1)
	p.jobs[j].where = pending
	p.book(w, 1)
	for _, x := range w.parts {
		p.servers[x.server].promised = true
	}
	p.pendings++
}

// keepPromises starts the promised jobs whose GPUs are all free.
func (p *Policy) keepPromises(v *sim.View) {
	if p.pendings == 0 {
		return
	}
	for i := range p.wides {
		w := &p.wides[i]
		if p.jobs[w.job].where != pending {
			continue
		}
		p.hosts = p.hosts[:0]
		ready := true
		for _, x := range w.parts {
			p.hosts = append(p.hosts, x.server)
			ready = ready && int32(v.Free().InMachine(int(x.server))) >= x.gpus
		}
		if !ready {
			continue
		}
		gpus, ok := p.place.On(v, p.demand(w.job), p.hosts...)
		if !ok { // the hosts have no CPU or memory for it
			p.unpend(v, w.job)
			continue
		}
		p.pendings--
		for _, m := range p.hosts {
			p.servers[m].promised = false
		}
		p.settle(v, w, gpus)
	}
}

// startWide starts wide jobs on free GPUs, while nothing is promised.
func (p *Policy) startWide(v *sim.View) {
	for i := 0; i < len(p.wides) && p.pendings == 0; i++ {
		w := &p.wides[i]
		d := p.demand(w.job)
		if p.jobs[w.job].where != queued || v.Free().Total() < int(d.GPUs) || !p.gather(v, w.job, true) {
			continue
		}
		p.hosts = p.hosts[:0]
		for _, x := range w.parts {
			p.hosts = append(p.hosts, x.server)
		}
		gpus, ok := p.place.On(v, d, p.hosts...)
		if !ok {
			w.parts = w.parts[:0]
			continue
		}
		p.count(w.job, -1)
		p.book(w, 1)
		p.charge(v.Now(), w.job)
		p.settle(v, w, gpus)
	}
}

// settle starts a wide job and books it where its GPUs are.
func (p *Policy) settle(v *sim.View, w *wideJob, gpus []cluster.GPU) {
	p.book(w, -1)
	w.parts = w.parts[:0]
	for _, g := range gpus {
		m := int32(v.Topology().Machine(g))
		if n := len(w.parts); n == 0 || w.parts[n-1].server != m {
			w.parts = append(w.parts, part{server: m})
		}
		w.parts[len(w.parts)-1].gpus++
	}
	p.book(w, 1)
	p.grant(v, w.job, gpus, nowhere)
}
