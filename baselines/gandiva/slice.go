package gandiva

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// reach bounds how far into a server's suspended jobs one look goes: a server has at most 64 GPUs,
// and its jobs are mostly of one demand.
const reach = 64

// turn is the end of a quantum: wide jobs give way, waiting ones get their turn, and every
// crowded server turns over.
func (p *Policy) turn(v *sim.View) {
	p.measure(v)
	p.giveWay(v)
	p.serve(v)
	p.takeTurns(v)
	p.scratch = p.scratch[:0]
	for i := range p.fleet.crowded.Len() {
		p.scratch = append(p.scratch, p.fleet.crowded.At(i))
	}
	for _, m := range p.scratch {
		p.introspect(v, m)
		p.rotate(v, m)
	}
	for _, m := range p.touched {
		p.fleet.servers[m].turned = false
	}
}

// served reports whether a running job has had its turn: half a quantum of progress. Starting and
// restoring do not count, so that every turn leads somewhere even if they outlast the quantum.
func (p *Policy) served(v *sim.View, j sim.JobID) bool {
	return v.Run(j).State() == sim.Running && p.ran(v, j) && !p.tried(j) && !p.fixed(v, j)
}

// ran reports whether a job has run half a quantum since its grant.
func (p *Policy) ran(v *sim.View, j sim.JobID) bool {
	return v.Run(j).Time()-p.run0[j] >= p.cfg.quantum/2
}

// grant starts a job and remembers how long it had run before.
func (p *Policy) grant(v *sim.View, j sim.JobID, gpus []cluster.GPU) {
	p.run0[j] = v.Run(j).Time()
	p.out = append(p.out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
}

// rotate turns a server over: the suspended jobs have the first claim in their order, then the
// running ones, the latest grant first; a job that finds no place is suspended.
func (p *Policy) rotate(v *sim.View, m int32) {
	s := &p.fleet.servers[m]
	if s.promised || s.turned {
		return
	}
	room := int32(v.Free().InMachine(int(m)))
	for _, j := range s.running {
		if p.served(v, j) {
			room += p.demand(j).GPUs
		}
	}
	for i := 0; i < min(s.suspended.len(), reach) && room > 0; i++ {
		if g := p.demand(s.suspended.at(i)).GPUs; g <= room && !p.follows(v, s.suspended.at(i)) {
			room -= g
		}
	}
	for i := len(s.running) - 1; i >= 0; i-- {
		j := s.running[i]
		if !p.served(v, j) {
			continue
		}
		if g := p.demand(j).GPUs; g <= room {
			room -= g
			continue
		}
		p.preempt(v, j)
	}
	p.touch(m)
	p.fill(v, m)
}

// serve lets touched servers resume their jobs, then gives wide jobs what is free.
func (p *Policy) serve(v *sim.View) {
	if p.wide.Len() > 0 {
		p.shrinkAll(v)
	}
	p.keepPromises(v)
	for i := 0; i < len(p.touched); i++ {
		p.fill(v, p.touched[i])
	}
	p.startWide(v)
}

// fill resumes a server's suspended jobs, in order, as far as its free GPUs go.
func (p *Policy) fill(v *sim.View, m int32) {
	s := &p.fleet.servers[m]
	if s.promised {
		return
	}
	if s.suspended.len() > 0 {
		p.shrink(v, m)
	}
	for i := 0; i < min(s.suspended.len(), reach); {
		free := int32(v.Free().InMachine(int(m)))
		if free == 0 {
			break
		}
		j := s.suspended.at(i)
		d := p.demand(j)
		if d.GPUs > free || v.Run(j).State() != sim.Waiting {
			i++
			continue
		}
		gpus, ok := p.place.On(v, d, m)
		switch {
		case ok:
			s.suspended.take(i)
			p.fleet.start(m, j)
			p.grant(v, j, gpus)
			p.bring(v, m, j, gpus)
		case free == s.up: // its host can never carry the job: only a spread placement can
			s.suspended.take(i)
			p.leave(j)
			p.enqueue(v, j)
		default:
			i++
		}
	}
	p.fleet.rank(m)
	if p.pals != nil {
		p.unpack(v, m)
	}
}
