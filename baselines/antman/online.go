package antman

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/service"
	"tarry/sim/service/mmc"
)

// online is what is kept of jobs beside replicas. They are not among the guests.
type online struct {
	beside  []pair      // in the order in which they came
	seen    []seen      // by service
	evicted []sim.JobID // by this decision; they wait at once
	moved   bool        // a look follows: shares or loads change by this decision
	hosts   []host
	aside   []sim.JobID
}

// seen is a service as the last decision left it.
type seen struct {
	load         float64
	ready, pairs int
	most         int32   // tenths that jobs may have while nothing of it changes
	full         float64 // load of a replica at which a job was evicted
}

// pair is an opportunistic job beside a replica.
type pair struct {
	job     sim.JobID
	gpu     cluster.GPU
	service int   // -1 = no replica with a whole GPU is there
	milli   int32 // 0 = it starts now
}

// host is a GPU with a replica and no job.
type host struct {
	gpu     cluster.GPU
	service int
	busy    float64
}

func (o *online) clone() online {
	return online{beside: slices.Clone(o.beside), seen: slices.Clone(o.seen)}
}

// of counts the jobs beside a service.
func (o *online) of(service int) (n int) {
	for i := range o.beside {
		if o.beside[i].service == service {
			n++
		}
	}
	return n
}

// serves reports whether replicas are to have jobs beside them.
func (p *Policy) serves(v *sim.View) bool { return p.cfg.online && v.Services().Len() > 0 }

// watch takes note of pairs that ended, gives replicas that are alone their GPUs again, and evicts
// jobs where there is no share for all, the last that came first.
func (p *Policy) watch(v *sim.View, out []sim.Decision) []sim.Decision {
	o, s := &p.online, v.Services()
	if o.seen == nil {
		o.seen = slices.Repeat([]seen{{most: 9, full: math.Inf(1)}}, s.Len())
	}
	o.evicted, o.moved = o.evicted[:0], false
	p.unpair(v)
	for i := range s.Len() {
		for id, end := s.Replicas(i); id < end; id++ {
			if g, ok := whole(v, id); ok && v.Sharers(g) == 0 && v.Run(id).Knobs().ShareMilli < 1000 {
				out = append(out, tune(id, 1000))
			}
		}
		p.check(v, i)
		for o.of(i) > 0 && p.tenths(v, i) == 0 {
			out = p.evict(v, i, out)
		}
	}
	return out
}

// check lets shares grow where a service has changed. Else they are as predicted, unless the law
// answered for replicas less busy than they are with these shares: then they are a tenth too large.
func (p *Policy) check(v *sim.View, i int) {
	x, s := &p.online.seen[i], v.Services()
	switch pairs := p.online.of(i); {
	case x.load != s.Load(i) || x.ready != s.Ready(i) || x.pairs != pairs:
		x.most, p.online.moved = 9, p.online.moved || pairs > 0 // its speeds may be of before
	case pairs > 0 && !kept(v, i, s.Capacity(i), s.Ready(i)):
		x.most--
	}
}

// unpair forgets jobs that run no more. One whose replica is gone is a job like others.
func (p *Policy) unpair(v *sim.View) {
	s := v.Services()
	p.online.beside = slices.DeleteFunc(p.online.beside, func(x pair) bool {
		r := v.Run(x.job)
		if r.State() != sim.Running {
			return true
		}
		if !slices.ContainsFunc(r.Held(), func(g cluster.GPU) bool { return s.On(g) != sim.NoJob }) {
			p.guests, p.mixed.moved = append(p.guests, x.job), append(p.mixed.moved, x.job)
			return true
		}
		return false
	})
	for i := range p.online.beside {
		x := &p.online.beside[i]
		x.service = -1
		if held := v.Run(x.job).Held(); len(held) == 1 && held[0] == x.gpu {
			if _, ok := whole(v, s.On(x.gpu)); ok {
				x.service = s.Of(s.On(x.gpu))
			}
		}
	}
}

// whole is the GPU of a replica that runs and takes one whole GPU.
func whole(v *sim.View, id sim.JobID) (cluster.GPU, bool) {
	r, s := v.Run(id), v.Services()
	if held := r.Held(); r.State() == sim.Running && len(held) == 1 && s.Spec(s.Of(id)).ShareMilli%1000 == 0 {
		return held[0], true
	}
	return 0, false
}

// evict stops the last job that came beside a service. While its work is saved it has the least
// share.
func (p *Policy) evict(v *sim.View, i int, out []sim.Decision) []sim.Decision {
	o, s := &p.online, v.Services()
	k := len(o.beside) - 1
	for o.beside[k].service != i {
		k--
	}
	x := o.beside[k]
	o.beside = slices.Delete(o.beside, k, k+1)
	o.seen[i].most, o.seen[i].full = 9, s.Load(i)/float64(max(1, s.Ready(i)))
	replica, stop := s.On(x.gpu), sim.Decision{Kind: sim.Preempt, Job: x.job}
	if v.Run(x.job).CheckpointTime() == 0 { // it waits at once, without an event
		o.evicted = append(o.evicted, x.job)
		return append(out, stop, tune(replica, 1000))
	}
	return append(out, tune(x.job, p.cfg.least), tune(replica, 1000-p.cfg.least), stop)
}

// tenths is the largest share in tenths at which a service attains its target if each job beside it
// has that; 0 = none.
func (p *Policy) tenths(v *sim.View, i int) int32 {
	for n := p.online.seen[i].most; n > 0; n-- {
		if p.attains(v, i, n) {
			return n
		}
	}
	return 0
}

// attains asks the law what the replicas of a service would serve.
func (p *Policy) attains(v *sim.View, i int, n int32) bool {
	s, sum, ready := v.Services(), 0.0, 0
	for id, end := s.Replicas(i); id < end; id++ {
		if r := v.Run(id); r.State() == sim.Running && s.ReadyAt(id) <= v.Now() {
			if speed := p.speed(v, id, n) / float64(len(r.Held())); speed > 0 {
				sum, ready = sum+speed, ready+1
			}
		}
	}
	return kept(v, i, float64(sum*s.Spec(i).RatePerS), ready)
}

// kept reports whether a service reaches its target by a capacity.
func kept(v *sim.View, i int, c float64, ready int) bool {
	s := v.Services()
	spec, load := s.Spec(i), s.Load(i)
	switch {
	case load == 0:
		return true
	case c < load || ready == 0:
		return false
	case spec.DeadlineS == 0:
		return true
	}
	rate, q := c/float64(ready), s.Backlog(i)
	if s.Latency() == service.MMC && mmc.Attained(ready, load, rate, spec.DeadlineS) < spec.Target {
		return false
	}
	return q/c+1/rate <= spec.DeadlineS || q == 0 && s.Latency() == service.MMC
}

// speed is what a replica would run at with n tenths for the job beside it, if one is.
func (p *Policy) speed(v *sim.View, id sim.JobID, n int32) float64 {
	g, ok := whole(v, id)
	if !ok {
		return v.Run(id).Speed().Rate
	}
	at := sim.Placement{GPUs: v.Run(id).Held(), Alone: true, Knobs: sim.Knobs{ShareMilli: 1000}}
	if k := slices.IndexFunc(p.online.beside, func(x pair) bool { return x.gpu == g && x.service >= 0 }); k >= 0 {
		at.Knobs.ShareMilli = 1000 - 100*n
		at.Mate = sim.Peer{ID: p.online.beside[k].job, GPUs: at.GPUs, Knobs: sim.Knobs{ShareMilli: 100 * n}}
	}
	return v.Predict(id, at).Rate
}

// attend puts jobs that wait beside replicas: in order of arrival, beside the least busy one.
func (p *Policy) attend(v *sim.View, out []sim.Decision) []sim.Decision {
	o := &p.online
	p.open(v)
	p.spare.Open()
	o.aside = o.aside[:0]
	for tries := 4 * len(o.hosts); tries > 0 && len(o.hosts) > 0; tries-- {
		j := p.spare.Best()
		if j == sim.NoJob {
			break
		}
		p.spare.Remove(j)
		if !p.attached(v, j) {
			o.aside = append(o.aside, j)
		}
	}
	for _, j := range o.aside {
		p.spare.Add(v, j, 0, float64(v.Job(j).GPUMiB()))
	}
	for i := range v.Services().Len() {
		x := &o.seen[i]
		if x.load, x.ready, x.pairs = v.Services().Load(i), v.Services().Ready(i), o.of(i); x.pairs > 0 {
			x.most = max(1, p.tenths(v, i))
			out = p.divide(v, i, x.most, out)
		}
	}
	for _, j := range o.evicted {
		p.join(v, j)
	}
	return out
}

// open lists the GPUs that may get a job beside their replica, the least busy first.
func (p *Policy) open(v *sim.View) {
	o, s := &p.online, v.Services()
	o.hosts = o.hosts[:0]
	for i := range s.Len() {
		spec, each := s.Spec(i), s.Load(i)/float64(max(1, s.Ready(i)))
		busy := min(1, each/spec.RatePerS)
		if spec.UtilFrac > 0 {
			busy *= spec.UtilFrac
		}
		if busy >= p.cfg.util || each >= o.seen[i].full || p.spare.Len() == 0 {
			continue
		}
		for id, end := s.Replicas(i); id < end; id++ {
			if g, ok := whole(v, id); ok && s.ReadyAt(id) <= v.Now() && v.Sharers(g) == 0 && s.On(g) == id &&
				s.Lent(v.Topology().Machine(g)) {
				o.hosts = append(o.hosts, host{g, i, busy})
			}
		}
	}
	slices.SortFunc(o.hosts, func(a, b host) int {
		return cmp.Or(cmp.Compare(a.busy, b.busy), cmp.Compare(a.gpu, b.gpu))
	})
}

// attached puts a job beside the first replica that it fits beside. A service that has no share for
// it gets no other job now.
func (p *Policy) attached(v *sim.View, j sim.JobID) bool {
	d, t, o := p.spare.Demand(j), v.Topology(), &p.online
	if d.GPUs != 1 || d.ShareMilli != 1000 || d.CPUMilli != 0 || d.MemMiB != 0 {
		return false
	}
	for k := 0; k < len(o.hosts); {
		h := o.hosts[k]
		m := t.Machine(h.gpu)
		used := int64(v.Run(v.Services().On(h.gpu)).Knobs().GPUMiB) + int64(v.Job(j).GPUMiB())
		if d.Type != "" && !cluster.SameType(d.Type, t.Type(m)) || t.GPUMiB(m) > 0 && used > t.GPUMiB(m) {
			k++
			continue
		}
		o.beside = append(o.beside, pair{j, h.gpu, h.service, 0})
		if p.tenths(v, h.service) > 0 {
			o.hosts = slices.Delete(o.hosts, k, k+1)
			if q := &p.tenants[p.jobs[j].tenant].queue; q.Has(j) {
				q.Remove(j)
			}
			x := &p.jobs[j]
			x.first, x.share, x.bad, x.solo = false, p.cfg.least, 1001, 0
			return true
		}
		o.beside = o.beside[:len(o.beside)-1]
		o.hosts, k = slices.DeleteFunc(o.hosts, func(x host) bool { return x.service == h.service }), 0
	}
	return false
}

// divide gives every job beside a service n tenths and its replica the rest. What is less comes
// first.
func (p *Policy) divide(v *sim.View, i int, n int32, out []sim.Decision) []sim.Decision {
	for k := range p.online.beside {
		x := &p.online.beside[k]
		was := x.milli
		if x.service != i || was == 100*n {
			continue
		}
		x.milli, p.online.moved = 100*n, true
		replica := tune(v.Services().On(x.gpu), 1000-x.milli)
		switch {
		case was == 0:
			out = append(out, replica, sim.Decision{Kind: sim.Start, Job: x.job, GPUs: []cluster.GPU{x.gpu},
				Knobs: sim.Knobs{ShareMilli: x.milli}})
		case was > x.milli:
			out = append(out, tune(x.job, x.milli), replica)
		default:
			out = append(out, replica, tune(x.job, x.milli))
		}
	}
	return out
}

func tune(j sim.JobID, milli int32) sim.Decision {
	return sim.Decision{Kind: sim.Tune, Job: j, Knobs: sim.Knobs{ShareMilli: milli}}
}
