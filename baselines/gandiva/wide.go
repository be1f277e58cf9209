package gandiva

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// visit is a wide job on servers that are the home of others.
type visit struct {
	job   sim.JobID
	parts []part
	// promised: its GPUs are not all free yet. going: preempted, its GPUs are not free yet.
	promised, going bool
	finest          cluster.Level
	begun           sim.Time
}

// part is how many GPUs of a server a visit takes.
type part struct{ server, gpus int32 }

// startWide starts the waiting wide jobs that fit what is free, in order. While a promise is open
// nothing else is given to wide jobs.
func (p *Policy) startWide(v *sim.View) {
	for i := range p.visits {
		if p.visits[i].promised {
			return
		}
	}
	p.wide.Open()
	for p.wide.Len() > 0 && v.Free().Total() > 0 {
		j := p.wide.Best()
		if j == sim.NoJob {
			return
		}
		gpus, ok := p.place.Place(v, p.demand(j))
		if !ok {
			p.wide.Close(j)
			continue
		}
		p.wide.Remove(j)
		p.begin(v, j, gpus)
	}
}

// begin starts a wide job and books it on its servers.
func (p *Policy) begin(v *sim.View, j sim.JobID, gpus []cluster.GPU) {
	t, d := v.Topology(), p.demand(j)
	w := p.newVisit(j)
	w.begun = v.Now()
	w.finest, _ = t.Finest(cluster.LevelMachine, int(d.GPUs), d.PerGPU())
	p.attach(v, w, gpus)
	p.grant(v, j, gpus)
}

// attach books a visit on the servers of its GPUs.
func (p *Policy) attach(v *sim.View, w *visit, gpus []cluster.GPU) {
	w.parts = w.parts[:0]
	for _, g := range gpus {
		m := int32(v.Topology().Machine(g))
		if n := len(w.parts); n == 0 || w.parts[n-1].server != m {
			w.parts = append(w.parts, part{server: m})
		}
		w.parts[len(w.parts)-1].gpus++
	}
	p.book(w, 1)
}

// newVisit reuses the parts of a visit that has ended.
func (p *Policy) newVisit(j sim.JobID) *visit {
	if n := len(p.visits); n < cap(p.visits) {
		p.visits = p.visits[:n+1]
	} else {
		p.visits = append(p.visits, visit{})
	}
	w := &p.visits[len(p.visits)-1]
	*w = visit{job: j, parts: w.parts[:0]}
	return w
}

func (p *Policy) book(w *visit, sign int32) {
	for _, x := range w.parts {
		p.fleet.servers[x.server].visited += sign * x.gpus
		p.fleet.add(x.server, sign*x.gpus)
		p.touch(x.server)
	}
}

// dropVisit takes a wide job off its servers, if it is on any.
func (p *Policy) dropVisit(j sim.JobID) {
	i := slices.IndexFunc(p.visits, func(w visit) bool { return w.job == j })
	if i < 0 {
		return
	}
	w := p.visits[i]
	p.book(&w, -1)
	if w.promised {
		p.release(&w)
	}
	n := len(p.visits) - 1
	p.visits[i], p.visits[n] = p.visits[n], w // keeps its parts for reuse
	p.visits = p.visits[:n]
}

func (p *Policy) release(w *visit) {
	for _, x := range w.parts {
		p.fleet.servers[x.server].promised = false
	}
}

// giveWay suspends the wide jobs that have run a quantum while others wait for their servers. Those
// servers are their own jobs' at this turn.
func (p *Policy) giveWay(v *sim.View) {
	for i := len(p.visits) - 1; i >= 0; i-- {
		w := &p.visits[i]
		if w.promised || w.going || !p.served(v, w.job) {
			continue
		}
		contested := p.wide.Len() > 0
		for _, x := range w.parts {
			contested = contested || p.fleet.servers[x.server].suspended.len() > 0
		}
		if !contested {
			continue
		}
		for _, x := range w.parts {
			s := &p.fleet.servers[x.server]
			s.turned = s.suspended.len() > 0
			p.touch(x.server)
		}
		w.going = true
		p.preempt(v, w.job)
	}
}

// takeTurns gives the wide jobs that have waited a quantum, in order, the least loaded servers. The
// first that finds too few ends it, so that the widest is not passed over for ever.
func (p *Policy) takeTurns(v *sim.View) {
	for i := range p.visits {
		if w := &p.visits[i]; w.promised {
			for _, x := range w.parts {
				p.clear(v, x)
			}
		}
	}
	p.wide.Open()
	for p.wide.Len() > 0 {
		j := p.wide.Best()
		if j == sim.NoJob || v.Run(j).State() != sim.Waiting || v.Now()-v.Run(j).Since() < p.cfg.quantum {
			return
		}
		d := p.demand(j)
		if d.CPUMilli > 0 || d.MemMiB > 0 { // its hosts' room cannot be promised
			p.wide.Close(j)
			continue
		}
		w := p.newVisit(j)
		if !p.gather(w, d) {
			p.visits = p.visits[:len(p.visits)-1]
			return
		}
		p.wide.Remove(j)
		w.promised = true
		p.book(w, 1)
		for _, x := range w.parts {
			p.clear(v, x)
		}
		p.keepPromises(v)
	}
}

// gather chooses servers by slack until they hold a demand, and reports whether they do.
func (p *Policy) gather(w *visit, d *plan.Demand) bool {
	left := d.GPUs
	p.scratch = p.scratch[:0]
	for left > 0 {
		best := int32(-1)
		for i := range p.fleet.groups {
			g := &p.fleet.groups[i]
			if m := top(&g.heap); m >= 0 && p.typed(g.typ, d.Type) &&
				(best < 0 || p.fleet.servers[m].slack() > p.fleet.servers[best].slack()) {
				best = m
			}
		}
		if best < 0 {
			break
		}
		s := &p.fleet.servers[best]
		p.fleet.groups[s.group].heap.Drop(best)
		p.scratch = append(p.scratch, best)
		if n := min(left, s.up-s.visited); n > 0 && !s.promised && !s.turned {
			w.parts = append(w.parts, part{best, n})
			left -= n
		}
	}
	for _, m := range p.scratch {
		p.fleet.rank(m)
	}
	return left == 0
}

// clear suspends jobs of a server until a visit's part is free there.
func (p *Policy) clear(v *sim.View, x part) {
	s := &p.fleet.servers[x.server]
	s.promised = true
	free := int32(v.Free().InMachine(int(x.server)))
	for i := 0; free < x.gpus && i < len(s.running); {
		j := s.running[i]
		if !p.served(v, j) {
			i++
			continue
		}
		free += p.demand(j).GPUs
		p.preempt(v, j)
	}
}

// keepPromises starts the promised jobs whose GPUs are all free.
func (p *Policy) keepPromises(v *sim.View) {
	for i := len(p.visits) - 1; i >= 0; i-- {
		w := &p.visits[i]
		if !w.promised {
			continue
		}
		p.scratch = p.scratch[:0]
		for _, x := range w.parts {
			p.scratch = append(p.scratch, x.server)
		}
		j := w.job
		if gpus, ok := p.place.On(v, p.demand(j), p.scratch...); ok {
			p.dropVisit(j)
			p.begin(v, j, gpus)
		}
	}
}
