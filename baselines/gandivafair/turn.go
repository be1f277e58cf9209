package gandivafair

import "tarry/sim"

// turn is the end of a quantum and the beginning of the next: every crowded server chooses again.
func (p *Policy) turn(v *sim.View) {
	p.giveUp(v)
	p.expire()
	p.until = (v.Now()/p.cfg.quantum + 1) * p.cfg.quantum
	if p.dirty {
		p.allot()
	}
	if v.Now() >= p.balanceAt {
		p.balance(v)
		p.balanceAt = sim.Never
		if p.cfg.balance != sim.Never {
			p.balanceAt = v.Now() + p.cfg.balance
		}
	}
	p.nominate(v)
	p.central(v)
	for m := range p.servers {
		p.local(v, int32(m))
	}
	p.keepPromises(v)
	p.levelOut()
}

// giveUp puts the jobs back that were picked in the last quantum and got no GPUs in it.
func (p *Policy) giveUp(v *sim.View) {
	if p.pendings == 0 {
		return
	}
	for m := range p.servers {
		s := &p.servers[m]
		for _, j := range s.pending {
			p.late(v.Now(), j)
			p.jobs[j].charged = false
			p.enqueue(j)
			p.pendings--
		}
		s.pending = s.pending[:0]
	}
	for i := len(p.wides) - 1; i >= 0; i-- {
		if j := p.wides[i].job; p.jobs[j].where == pending {
			p.unpend(v, j)
		}
	}
}

// expire ends what was charged for the last quantum.
func (p *Policy) expire() {
	for m := range p.servers {
		for _, j := range p.servers[m].running {
			p.jobs[j].charged = false
		}
	}
	for i := range p.wides {
		p.jobs[p.wides[i].job].charged = false
	}
}

// served reports whether a running job may be stopped: it has paid no pause for its GPUs, or has
// run for half a quantum since, so that every turn leads somewhere even where changes outlast a
// quantum.
func (p *Policy) served(v *sim.View, j sim.JobID) bool {
	ran := v.Run(j).Time() - p.jobs[j].run0
	return v.Run(j).State() == sim.Running && (ran == v.Now()-v.Run(j).Since() || ran >= p.cfg.quantum/2)
}

// nominate makes candidates of the jobs that run on servers for which others wait. All others stay,
// and are charged.
func (p *Policy) nominate(v *sim.View) {
	wanted := p.wanted()
	for m := range p.servers {
		s := &p.servers[m]
		s.crowded, s.kept = s.waits > 0 || wanted[s.gen], 0
		for _, j := range s.running {
			if s.crowded && p.served(v, j) {
				p.jobs[j].candid = true
				p.insert(j)
				continue
			}
			s.kept += p.gpus(j)
			p.charge(v.Now(), j)
		}
	}
}

// local is the stride of one server.
func (p *Policy) local(v *sim.View, m int32) {
	s := &p.servers[m]
	if !s.crowded {
		return
	}
	s.open()
	room := s.up - s.wide - s.kept
	for room > 0 {
		j := p.pick(m, room)
		if j == sim.NoJob {
			break
		}
		room -= p.gpus(j)
		if x := &p.jobs[j]; x.candid { // it runs on
			x.candid = false
			p.extract(j)
		} else {
			p.dequeue(j)
			x.where = pending
			s.pending = append(s.pending, j)
			p.pendings++
		}
		p.picked(m, p.jobs[j].user)
		p.charge(v.Now(), j)
	}
	for i := len(s.running) - 1; i >= 0; i-- {
		if j := s.running[i]; p.jobs[j].candid {
			p.jobs[j].candid = false
			p.extract(j)
			p.preempt(v, j)
		}
	}
	p.touch(m)
	p.begin(v, m)
}

// begin starts the picked jobs of a server in their order, as far as its GPUs are free.
func (p *Policy) begin(v *sim.View, m int32) {
	s := &p.servers[m]
	for len(s.pending) > 0 {
		j := s.pending[0]
		d := p.demand(j)
		free := int32(v.Free().InMachine(int(m)))
		if d.GPUs > free {
			return
		}
		gpus, ok := p.place.On(v, d, m)
		if !ok && free < s.up {
			return
		}
		s.pending = s.pending[:copy(s.pending, s.pending[1:])]
		p.pendings--
		if ok {
			p.grant(v, j, gpus, m)
			continue
		}
		p.late(v.Now(), j)
		p.widen(v, j)
	}
}

// widen gives a job to the central scheduler: its server is empty, and has not the CPU or memory
// that it asks for.
func (p *Policy) widen(v *sim.View, j sim.JobID) {
	p.refund(v.Now(), j)
	p.unhome(j)
	p.jobs[j].wide, p.jobs[j].where = true, away
	p.wait(v, j)
}

// serve uses what is free between turns.
func (p *Policy) serve(v *sim.View) {
	p.keepPromises(v)
	// what its hosts had no room for may have it since
	for m := 0; p.hosted && p.pendings > 0 && m < len(p.servers); m++ {
		if len(p.servers[m].pending) > 0 {
			p.touch(int32(m))
		}
	}
	for i := 0; i < len(p.touched); i++ {
		p.fill(v, p.touched[i])
	}
	p.startWide(v)
	if v.Free().Total() == 0 {
		return
	}
	for m := range p.servers {
		for p.steal(v, int32(m)) {
		}
	}
}

// fill starts waiting jobs of a server on its free GPUs, by pass. Jobs that were picked at a turn
// go first.
func (p *Policy) fill(v *sim.View, m int32) {
	p.begin(v, m)
	s := &p.servers[m]
	if s.promised || len(s.pending) > 0 || s.waits == 0 {
		return
	}
	s.open()
	for {
		free := int32(v.Free().InMachine(int(m)))
		if free == 0 {
			return
		}
		j := p.pick(m, free)
		if j == sim.NoJob {
			return
		}
		o := s.slotOf(p.jobs[j].user)
		gpus, ok := p.place.On(v, p.demand(j), m)
		switch {
		case ok:
			p.dequeue(j)
			p.charge(v.Now(), j)
			p.grant(v, j, gpus, m)
		case free == s.up:
			p.dequeue(j)
			p.widen(v, j)
			s.open()
			continue
		default:
			o.next++
		}
		if o.next >= len(o.queue) {
			o.shut = true
		}
	}
}

// steal brings a job that waits elsewhere to a server with free GPUs: of the jobs that fit, one of
// the user with the least pass there.
func (p *Policy) steal(v *sim.View, m int32) bool {
	s := &p.servers[m]
	free := int32(v.Free().InMachine(int(m)))
	if free == 0 || s.promised || len(s.pending) > 0 || !p.small(free) {
		return false
	}
	best, least := sim.NoJob, 0.0
	for i := range p.servers {
		if o := &p.servers[i]; o.waits > 0 && i != int(m) {
			for k := range o.slots {
				pass := p.users[o.slots[k].user].gens[s.gen].pass
				if best != sim.NoJob && pass > least {
					continue
				}
				for _, j := range o.slots[k].queue {
					if p.gpus(j) <= free && p.able(j, s.gen) && (best == sim.NoJob || pass < least || j < best) {
						best, least = j, pass
						break
					}
				}
			}
		}
	}
	if best == sim.NoJob {
		return false
	}
	gpus, ok := p.place.On(v, p.demand(best), m)
	if !ok {
		return false
	}
	p.dequeue(best)
	p.unhome(best)
	p.home(best, m)
	p.charge(v.Now(), best)
	p.grant(v, best, gpus, m)
	return true
}

// small reports whether a job waits that is not larger than so many GPUs.
func (p *Policy) small(free int32) bool {
	for _, n := range p.sizes[1 : free+1] {
		if n > 0 {
			return true
		}
	}
	return false
}
