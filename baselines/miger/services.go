package miger

import (
	"tarry/baselines/miger/layout"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/service"
)

// host follows the replicas that hold one whole GPU which can be cut, and gives a replica more whose
// instance does not meet its load.
func (p *Policy) host(v *sim.View, out []sim.Decision) []sim.Decision {
	s := v.Services()
	for i := range s.Len() {
		first, end := s.Replicas(i)
		p.extend(int(end))
		spec := s.Spec(i)
		if spec.GPUs > 1 || spec.ShareMilli%1000 != 0 {
			continue
		}
		x := asked(v, i)
		for id := first; id < end; id++ {
			g := p.hostOf(v, id)
			if was := p.cellOf[id]; was >= 0 && was != int32(g) {
				p.leave(id)
			}
			if g >= 0 && p.keep(v, id, g, i, &x) {
				out = p.grow(v, g, out)
			}
		}
	}
	return out
}

// asked is what each replica of a service must serve: the load is divided equally among the replicas
// that hold GPUs.
func asked(v *sim.View, i int) layout.Service {
	s := v.Services()
	spec, n := s.Spec(i), 0
	for id, end := s.Replicas(i); id < end; id++ {
		if v.Run(id).State() == sim.Running {
			n++
		}
	}
	x := layout.Service{LoadPerS: s.Load(i) / float64(max(1, n)), RatePerS: spec.RatePerS, DeadlineS: spec.DeadlineS,
		Target: spec.Target, MiB: int64(spec.GPUMiB)}
	if x.DeadlineS == 0 { // all that is served is good
		x.Target = 0
	}
	return x
}

// hostOf is the GPU of a replica, if it can be cut; else -1.
func (p *Policy) hostOf(v *sim.View, id sim.JobID) cluster.GPU {
	r := v.Run(id)
	if r.State() != sim.Running || len(r.Held()) != 1 || p.classAt[v.Topology().Machine(r.Held()[0])] < 0 {
		return -1
	}
	return r.Held()[0]
}

// keep keeps a replica among the jobs of its GPU, as it is now: uncut it has the instance that is
// all. It reports whether the load asks for more.
func (p *Policy) keep(v *sim.View, id sim.JobID, g cluster.GPU, i int, x *layout.Service) bool {
	class := p.classAt[v.Topology().Machine(g)]
	cl, knobs := &p.classes[class], v.Run(id).Knobs()
	least := layout.Least(cl.dev, x)
	if least < 0 {
		least = cl.profile(cl.all)
	}
	k := p.replicas(i, least, v.Services().Spec(i))
	at := cl.all
	if knobs.Instance > 0 {
		at = int(knobs.Instance) - 1
	}
	c := &p.cells[g]
	if p.cellOf[id] < 0 {
		if c.n == layout.MaxJobs {
			return false
		}
		p.enter(g, resident{job: id, kind: k})
	}
	r := c.of(id)
	r.at, r.share = int8(at), knobs.ShareMilli
	if shut := !p.open(v, g); shut != c.shut {
		c.shut = shut
		p.touch(c)
	}
	if r.kind != k {
		r.kind = k
		p.touch(c)
		p.ease(g)
	}
	return cl.profile(at) < least
}

// replicas is the kind of the replicas of a service whose load asks for a profile.
func (p *Policy) replicas(i, least int, spec *service.Spec) int32 {
	return p.kind(alike{service: int32(i + 1), least: int8(least), gpus: 1, gpuMiB: spec.GPUMiB})
}

// grow gives the replica of a GPU an instance that meets its load. All jobs stay there if they can;
// else the jobs that Serve chooses; else none. What a job that stops holds until its checkpoint is
// written comes later.
func (p *Policy) grow(v *sim.View, g cluster.GPU, out []sim.Decision) []sim.Decision {
	c := &p.cells[g]
	class := p.classAt[v.Topology().Machine(g)]
	for p.steady(v, c) && c.closed != p.round {
		var from [layout.MaxJobs]int8
		n := p.gather(c, member{job: sim.NoJob}, &from)
		x := p.best(v, class, n)
		if x.ok && p.realise(v, class, c, member{job: sim.NoJob}, &from, n, &x) {
			return p.carry(g, out)
		}
		was := len(out)
		if out = p.evict(v, g, p.chosen(v, class, c), out); len(out) == was {
			break
		}
	}
	return out
}

// chosen are the jobs of a GPU, by index, that stay beside its replicas for the greatest sum of
// speeds, each alone in an instance; none where all would.
func (p *Policy) chosen(v *sim.View, class int8, c *cell) (stay [layout.MaxJobs]bool) {
	var services []layout.Service
	var jobs []int
	for i := range c.in() {
		if s := p.kinds[c.jobs[i].kind].service; s > 0 {
			services = append(services, asked(v, int(s-1)))
			continue
		}
		jobs = append(jobs, i)
	}
	groups, _, _ := p.classes[class].shapes.Serve(services, len(jobs), func(j, profile int) float64 {
		return p.worth(v, class, c.jobs[jobs[j]].member(), profile)
	})
	if len(groups) == int(c.n) {
		return stay
	}
	for _, x := range groups {
		if j := int(x.A) - len(services); j >= 0 {
			stay[jobs[j]] = true
		}
	}
	return stay
}

// evict appends the end of the jobs that do not stay on a GPU.
func (p *Policy) evict(v *sim.View, g cluster.GPU, stay [layout.MaxJobs]bool, out []sim.Decision) []sim.Decision {
	c := &p.cells[g]
	was := *c
	for i := range was.in() {
		j := was.jobs[i].job
		if stay[i] || p.kinds[was.jobs[i].kind].service > 0 {
			continue
		}
		out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
		if v.Run(j).CheckpointTime() > 0 {
			c.closed = p.round
			continue
		}
		p.leave(j) // it waits at once, without an event
		p.wait(v, j)
	}
	return out
}

// open reports whether jobs may come to a GPU: it is up, or has a replica and is lent.
func (p *Policy) open(v *sim.View, g cluster.GPU) bool {
	if v.Up(g) {
		return true
	}
	s := v.Services()
	return s.On(g) != sim.NoJob && s.Lent(v.Topology().Machine(g)) && (s.Room(g) > 0 || v.Share(g) == 1000)
}
