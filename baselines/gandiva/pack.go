package gandiva

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// half and whole are shares of each GPU in thousandths: of a job that is packed with another, and
// of one alone.
const half, whole = 500, 1000

// bar is what two jobs do together in slices, each at its full rate for half of the time.
const bar = 1

// pal is what packing has measured of a job.
type pal struct {
	mate   sim.JobID // on the same GPUs, NoJob = none
	friend sim.JobID // with which a trial paid, NoJob = none
	guest  bool      // on its mate's GPUs, and not among the running jobs of the server
	trial  bool      // the two have not been measured yet
	going  bool      // preempted, and its GPUs not free yet
	alone  float64   // rate in its last slice alone at home; 0 = it had none
}

// mateOf is who is packed with a job.
func (p *Policy) mateOf(j sim.JobID) sim.JobID {
	if p.pals == nil {
		return sim.NoJob
	}
	return p.pals[j].mate
}

// measure is the first part of packing at a turn: trials that have run a slice are judged.
func (p *Policy) measure(v *sim.View) {
	if p.pals == nil {
		return
	}
	on := p.trying
	p.trying = p.spare[:0]
	for _, m := range on {
		s := &p.fleet.servers[m]
		for i := range s.running {
			j := s.running[i]
			if a := &p.pals[j]; a.trial && v.Run(j).State() == sim.Running && v.Run(a.mate).State() == sim.Running &&
				p.ran(v, a.mate) {
				p.judge(v, j)
			} else if a.trial {
				p.trying = append(p.trying, m)
			}
		}
	}
	p.spare = on
}

// introspect is the second part: the rates of the jobs of a crowded server that run alone are
// noted, and at most one trial is begun.
func (p *Policy) introspect(v *sim.View, m int32) {
	if p.pals == nil {
		return
	}
	s := &p.fleet.servers[m]
	trying := s.promised || s.turned
	for _, j := range s.running {
		a := &p.pals[j]
		// alone up to now, too
		if trying = trying || a.trial; a.mate == sim.NoJob && v.Run(j).State() == sim.Running &&
			v.Run(j).Knobs().ShareMilli == whole {
			a.alone = v.Run(j).Speed().Rate
		}
	}
	if !trying {
		p.try(v, m)
	}
}

// tried reports whether a job is on trial with another, which is not cut short.
func (p *Policy) tried(j sim.JobID) bool { return p.pals != nil && p.pals[j].trial }

// judge ends the trial of a host and its guest: it is kept if the two together do more than in
// slices.
func (p *Policy) judge(v *sim.View, host sim.JobID) {
	a := &p.pals[host]
	guest := a.mate
	b := &p.pals[guest]
	a.trial, b.trial = false, false
	if v.Run(host).Speed().Rate/a.alone+v.Run(guest).Speed().Rate/b.alone > bar {
		a.friend, b.friend = guest, host
		return
	}
	s := &p.fleet.servers[p.home[host]]
	s.ruled = append(s.ruled, [2]sim.JobID{host, guest})
	p.out = append(p.out, sim.Decision{Kind: sim.Preempt, Job: guest})
	if b.going = true; v.Run(guest).CheckpointTime() == 0 {
		p.suspended(v, guest)
	}
}

// try packs the suspended job with the lowest utilisation on the GPUs with the lowest utilisation
// whose memory fits, of pairs that no trial has ruled out. Both have had a slice alone.
func (p *Policy) try(v *sim.View, m int32) {
	s := &p.fleet.servers[m]
	p.hosts, p.guests = p.hosts[:0], p.guests[:0]
	for _, j := range s.running {
		if p.pals[j].mate == sim.NoJob && p.pals[j].alone > 0 && v.Run(j).State() == sim.Running &&
			p.demand(j).ShareMilli == whole {
			p.hosts = append(p.hosts, j)
		}
	}
	for i := range min(s.suspended.len(), reach) {
		if j := s.suspended.at(i); p.pals[j].alone > 0 && v.Run(j).State() == sim.Waiting {
			p.guests = append(p.guests, j)
		}
	}
	idler := func(a, b sim.JobID) int {
		switch x, y := v.Job(a).GPUUtilFrac(), v.Job(b).GPUUtilFrac(); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return int(a - b)
	}
	slices.SortFunc(p.hosts, idler)
	slices.SortFunc(p.guests, idler)
	for _, j := range p.guests {
		for _, h := range p.hosts {
			if !s.rules(h, j) && p.fitsBeside(v, m, h, j, v.Run(h).Held()) {
				p.unsuspend(m, j)
				p.pack(h, j, true)
				p.out = append(p.out, sim.Decision{Kind: sim.Tune, Job: h, Knobs: sim.Knobs{ShareMilli: half}})
				p.besides(v, j, v.Run(h).Held())
				p.trying = append(p.trying, m)
				return
			}
		}
	}
}

// suspends reports whether a job is suspended on a server, or is so at this instant.
func (p *Policy) suspends(m int32, j sim.JobID) bool {
	return p.home[j] == m && p.pals[j].mate == sim.NoJob && !slices.Contains(p.fleet.servers[m].running, j)
}

// rules reports whether a trial of two jobs on this server gained nothing.
func (s *server) rules(a, b sim.JobID) bool {
	return slices.Contains(s.ruled, [2]sim.JobID{a, b}) || slices.Contains(s.ruled, [2]sim.JobID{b, a})
}

// unsuspend takes a job out of a server's order of the suspended.
func (p *Policy) unsuspend(m int32, j sim.JobID) {
	s := &p.fleet.servers[m]
	for i := range s.suspended.len() {
		if s.suspended.at(i) == j {
			s.suspended.take(i)
			break
		}
	}
	p.fleet.rank(m)
}

// fitsBeside reports whether two jobs can run on GPUs of a server together: as many for both, and
// the memory of both.
func (p *Policy) fitsBeside(v *sim.View, m int32, a, b sim.JobID, gpus []cluster.GPU) bool {
	d, t := p.demand(b), v.Topology()
	if int(d.GPUs) != len(gpus) || d.ShareMilli != whole || p.demand(a).ShareMilli != whole ||
		!p.typed(t.Type(int(m)), d.Type) || p.place.Room(v, int(m), d) < len(gpus) ||
		slices.ContainsFunc(gpus, func(g cluster.GPU) bool { return !v.Up(g) }) {
		return false
	}
	has := t.GPUMiB(int(m))
	return has == 0 || int64(v.Job(a).GPUMiB())+int64(v.Job(b).GPUMiB()) <= has
}

// pack notes two jobs as packed.
func (p *Policy) pack(host, guest sim.JobID, trial bool) {
	a, b := &p.pals[host], &p.pals[guest]
	a.mate, a.trial = guest, trial
	b.mate, b.trial, b.guest = host, trial, true
}

// besides starts a job with half of GPUs that another has.
func (p *Policy) besides(v *sim.View, guest sim.JobID, gpus []cluster.GPU) {
	p.grant(v, guest, p.place.Given(v, p.demand(guest), gpus))
	p.out[len(p.out)-1].ShareMilli = half
}

// bring starts the friend of a job that has just been given GPUs, if it is suspended on the same
// server, on these too.
func (p *Policy) bring(v *sim.View, m int32, j sim.JobID, gpus []cluster.GPU) {
	if p.pals == nil {
		return
	}
	f := p.pals[j].friend
	if f == sim.NoJob || !p.suspends(m, f) || v.Run(f).State() != sim.Waiting || !p.fitsBeside(v, m, j, f, gpus) {
		return
	}
	p.unsuspend(m, f)
	p.pack(j, f, false)
	p.out[len(p.out)-1].ShareMilli = half
	p.besides(v, f, gpus)
}

// follows reports whether a suspended job needs no GPUs of its own now: it was suspended at this
// instant, or its friend, which is suspended there too, brings it.
func (p *Policy) follows(v *sim.View, j sim.JobID) bool {
	if p.pals == nil {
		return false
	}
	f := p.pals[j].friend
	return v.Run(j).State() != sim.Waiting || f != sim.NoJob && f < j && p.suspends(p.home[j], f)
}

// part ends the packing of a job that leaves its GPUs: its mate has them whole, and is the server's
// own if it was the guest.
func (p *Policy) part(v *sim.View, j sim.JobID) {
	x := p.mateOf(j)
	if x == sim.NoJob {
		return
	}
	guest := p.pals[x].guest
	p.unlink(j, x)
	if v.Run(x).State() != sim.Running {
		return
	}
	p.out = append(p.out, sim.Decision{Kind: sim.Tune, Job: x, Knobs: sim.Knobs{ShareMilli: whole}})
	if guest {
		p.fleet.start(p.home[x], x)
	}
}

func (p *Policy) unlink(j, x sim.JobID) {
	for _, y := range [2]sim.JobID{j, x} {
		a := &p.pals[y]
		a.mate, a.guest, a.trial, a.going = sim.NoJob, false, false, false
	}
}

// both suspends the mate of a job that is being suspended, and reports whether it holds no GPUs any
// more.
func (p *Policy) both(v *sim.View, j, x sim.JobID) (free bool) {
	going := p.pals[x].going
	if p.unlink(j, x); going || v.Run(x).State() != sim.Running {
		return !going && v.Run(x).State() != sim.Draining
	}
	p.out = append(p.out, sim.Decision{Kind: sim.Preempt, Job: x})
	if v.Run(x).CheckpointTime() > 0 {
		return false
	}
	p.suspended(v, x)
	return true
}

// unpack gives guests of a server that is not crowded any more GPUs of their own.
func (p *Policy) unpack(v *sim.View, m int32) {
	s := &p.fleet.servers[m]
	for i := 0; i < len(s.running) && s.suspended.len() == 0 && !s.promised; i++ {
		host := s.running[i]
		guest := p.pals[host].mate
		if guest == sim.NoJob || p.pals[guest].going || v.Run(guest).State() != sim.Running ||
			v.Run(host).State() != sim.Running {
			continue
		}
		gpus, ok := p.place.On(v, p.demand(guest), m)
		if !ok {
			return
		}
		p.out = append(p.out, sim.Decision{Kind: sim.Migrate, Job: guest, GPUs: gpus,
			Knobs: sim.Knobs{ShareMilli: whole}},
			sim.Decision{Kind: sim.Tune, Job: host, Knobs: sim.Knobs{ShareMilli: whole}})
		p.unlink(host, guest)
		p.run0[guest] = v.Run(guest).Time()
		p.fleet.start(m, guest)
	}
}
