package operate

import (
	"slices"

	"tarry/sim"
	"tarry/sim/param"
)

// pods are the replicas of an operator that keeps idle replicas: each is protected for a while, then
// sleeps. nil = idle replicas are stopped.
type pods struct {
	protect, reuse, most sim.Time
	sleep                sim.Time    // after which jobs get the GPUs; Never = where they wait for some
	of                   []pod       // by replica
	jobs                 []sim.JobID // that came and have not ended, as far as was looked
	first                sim.JobID   // replica
	active               int         // of the service that was settled last
	short                int         // GPUs that jobs lack, less the GPUs that sleeping replicas gave
	gave                 bool        // some lost their GPUs to jobs, which may need more
	idle                 []sim.JobID
}

// pod is one replica.
type pod struct {
	idle   bool
	since  sim.Time // since when
	until  sim.Time // up to then it is protected
	reuses sim.Time // in a row before the end of its protection
}

func (p *pods) read(s *param.Set) {
	p.protect = sim.Seconds(s.Float("protect_s", 30, 0, 1e9))
	p.reuse = sim.Seconds(s.Float("reuse_s", 15, 0, 1e9))
	p.most = sim.Seconds(s.Float("most_s", 120, 0, 1e9))
	p.sleep = sim.Never
}

func (p *pods) begin(v *sim.View) {
	if p == nil {
		return
	}
	p.first = sim.JobID(v.NumJobs())
	end := p.first
	if n := v.Services().Len(); n > 0 {
		_, end = v.Services().Replicas(n - 1)
	}
	p.of = make([]pod, end-p.first)
}

// log takes in the jobs that came.
func (p *pods) log(v *sim.View) {
	if p == nil {
		return
	}
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive {
			p.jobs = append(p.jobs, ev.Job)
		}
	}
	p.short, p.gave = -1, false
}

// sleeps reports whether a replica sleeps.
func (p *pods) sleeps(now sim.Time) bool {
	return p != nil && slices.ContainsFunc(p.of, func(x pod) bool { return x.idle && x.until <= now })
}

// gone forgets a replica that holds no GPUs.
func (p *pods) gone(_ *sim.View, id sim.JobID) {
	if p != nil {
		p.of[id-p.first] = pod{}
	}
}

// settle lets replicas of a service be needed or not. Where they yield it gives the sleeping replicas
// that lose their GPUs to jobs.
func (p *pods) settle(v *sim.View, held []sim.JobID, want int, yields bool) []sim.JobID {
	now := v.Now()
	p.idle, p.active = p.idle[:0], 0
	for _, id := range held {
		if p.of[id-p.first].idle {
			p.idle = append(p.idle, id)
		} else {
			p.active++
		}
	}
	slices.SortStableFunc(p.idle, func(a, b sim.JobID) int {
		return int(min(1, max(-1, p.of[b-p.first].since-p.of[a-p.first].since)))
	})
	for ; p.active < want && len(p.idle) > 0; p.active++ { // the last first
		x := &p.of[p.idle[0]-p.first]
		reuses := sim.Time(0)
		if now < x.until {
			reuses = x.reuses + 1
		}
		*x = pod{reuses: reuses}
		p.idle = p.idle[1:]
	}
	for i := len(held) - 1; i >= 0 && p.active > want; i-- {
		if x := &p.of[held[i]-p.first]; !x.idle {
			*x = pod{idle: true, since: now, until: now + min(p.most, p.protect+p.reuse*x.reuses), reuses: x.reuses}
			p.active--
		}
	}
	if !yields {
		return nil
	}
	return p.yield(v, held)
}

// yield gives the sleeping replicas whose GPUs jobs lack, in the order in which they were needed last.
func (p *pods) yield(v *sim.View, held []sim.JobID) []sim.JobID {
	p.idle = p.idle[:0]
	for _, id := range held {
		if x := p.of[id-p.first]; x.idle && x.until <= v.Now() {
			p.idle = append(p.idle, id)
		}
	}
	if len(p.idle) == 0 {
		return nil
	}
	slices.SortStableFunc(p.idle, func(a, b sim.JobID) int {
		return int(min(1, max(-1, p.of[a-p.first].since-p.of[b-p.first].since)))
	})
	if p.short < 0 {
		p.short = p.lacking(v)
	}
	n := 0
	for ; n < len(p.idle) && p.short > 0; n++ {
		p.short = max(0, p.short-len(v.Run(p.idle[n]).Held()))
		p.of[p.idle[n]-p.first] = pod{}
	}
	for ; n < len(p.idle) && p.slept(v.Now(), p.idle[n]) && len(p.jobs) > 0; n++ {
		p.of[p.idle[n]-p.first] = pod{}
	}
	p.gave = p.gave || n > 0
	return slices.Clone(p.idle[:n])
}

// slept reports whether a sleeping replica has slept for long enough.
func (p *pods) slept(now sim.Time, id sim.JobID) bool {
	return p.sleep < sim.Never && p.of[id-p.first].until+p.sleep <= now
}

// oldest gives the replica that sleeps for longest, and forgets it; NoJob without one.
func (p *pods) oldest(now sim.Time) sim.JobID {
	at := -1
	for k, x := range p.of {
		if x.idle && x.until <= now && (at < 0 || x.since < p.of[at].since) {
			at = k
		}
	}
	if at < 0 {
		return sim.NoJob
	}
	p.of[at] = pod{}
	return p.first + sim.JobID(at)
}

// lacking is how many GPUs jobs lack: what jobs need that waited before, since what was free was not
// for them, and what new ones need beyond what is free.
func (p *pods) lacking(v *sim.View) (n int) {
	fresh := 0
	p.jobs = slices.DeleteFunc(p.jobs, func(id sim.JobID) bool {
		lo, _ := v.Job(id).Range()
		switch r := v.Run(id); r.State() {
		case sim.Waiting:
			if r.Since() < v.Now() {
				n += lo
			} else {
				fresh += lo
			}
		case sim.Running, sim.Draining:
		default:
			return true
		}
		return false
	})
	return n + max(0, fresh-v.Free().Total())
}

// next is when a replica begins to sleep, or is to yield its GPUs after others; Never where none will.
func (p *pods) next(now sim.Time) sim.Time {
	at := sim.Never
	if p == nil {
		return at
	}
	for _, x := range p.of {
		switch {
		case x.idle && x.until > now:
			at = min(at, x.until)
		case x.idle && p.gave:
			return now + 1
		case x.idle && p.sleep < sim.Never && x.until+p.sleep > now:
			at = min(at, x.until+p.sleep)
		}
	}
	return at
}

func (p *pods) clone() *pods {
	if p == nil {
		return nil
	}
	c := *p
	c.of, c.jobs, c.idle = slices.Clone(p.of), slices.Clone(p.jobs), nil
	return &c
}
