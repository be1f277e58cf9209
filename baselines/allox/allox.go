package allox

import (
	"maps"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one AlloX scheduler. Build it with New; it belongs to one run.
type Policy struct {
	alpha       float64
	cap         int
	known, hold bool
	place       *plan.Placer
	types       int
	typeOf      []int // type of each machine
	size        []int // GPUs of each type
	empty       *cluster.Free
	queue       []waiting // in order of arrival
	spare       [][]float64
	running     []holder
	users       []user
	names       map[string]int
	match       match
	sample      []cluster.GPU
	ranked      []int
}

// waiting is a job that waits.
type waiting struct {
	job    sim.JobID
	user   int
	demand plan.Demand
	// rate is the job's predicted speed on each type, 0 = it cannot run there. wide: no type has as
	// many GPUs, several together do.
	rate []float64
	wide bool
}

// holder is a job that runs.
type holder struct {
	job  sim.JobID
	user int
	part float64 // of its types' GPUs
	// fresh: it was started at this instant, on so many GPUs of a type, and will run for some
	// seconds.
	fresh bool
	ending
}

// New is AlloX. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule), names: map[string]int{}}
	p.alpha = s.Float("alpha", 0.05, 1e-9, 1)
	p.cap = s.Int("cap", 50, 0, 1e6)
	p.known = s.Enum("work", "known", "estimate") == "known"
	p.hold = s.Enum("gangs", "skip", "hold") == "hold"
	return p, s.Err()
}

// Knows declares speeds, and the work that is left or its estimate.
func (p *Policy) Knows() know.Set {
	if p.known {
		return know.Speed | know.Work
	}
	return know.Speed | know.Estimate | know.Done
}

// Decide matches the waiting jobs anew and starts what comes first.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.typeOf == nil {
		p.look(v.Topology())
	}
	p.follow(v)
	if len(p.queue) == 0 || v.Free().Total() == 0 {
		return out
	}
	p.place.Begin(v)
	for i := range p.running {
		p.running[i].fresh = false
	}
	clear(p.match.shut)
	n := len(out)
	out = p.share(v, out)
	return p.leftOver(v, out, len(out) == n && len(p.running) == 0)
}

// share admits users and starts their jobs, until nothing starts for all of them or no GPU is idle.
func (p *Policy) share(v *sim.View, out []sim.Decision) []sim.Decision {
	last := 0 // users that were admitted when nothing started
	for alpha := p.alpha; v.Free().Total() > 0; {
		p.rank(v.Now())
		n, k := len(out), p.admit(alpha)
		if k > last {
			out = p.solve(v, out)
		}
		switch {
		case len(out) > n && k < len(p.ranked): // for users that were left out
			last = 0
		case len(out) > n || alpha >= 1:
			return out
		default:
			last, alpha = k, min(1, 2*alpha)
		}
	}
	return out
}

// look notes the types of a cluster.
func (p *Policy) look(t *cluster.Topology) {
	p.types, p.typeOf, p.size = len(t.Types()), make([]int, t.Machines()), make([]int, len(t.Types()))
	for m := range p.typeOf {
		lo, hi := t.MachineGPUs(m)
		p.typeOf[m] = slices.Index(t.Types(), t.Type(m))
		p.size[p.typeOf[m]] += int(hi - lo)
	}
	p.empty, p.match.shut = cluster.NewFree(t), make([]bool, p.types)
}

// follow takes in the jobs that began to wait and drops the jobs that stopped running.
func (p *Policy) follow(v *sim.View) {
	for _, ev := range v.Events() {
		if ev.Job == sim.NoJob {
			continue
		}
		switch ev.Kind {
		case sim.Finish, sim.OutOfMemory, sim.Fail:
			p.release(v.Now(), ev.Job)
		}
		switch ev.Kind {
		case sim.Arrive, sim.Drained, sim.OutOfMemory, sim.Fail:
			if i, has := p.at(ev.Job); !has && v.Run(ev.Job).State() == sim.Waiting {
				p.queue = slices.Insert(p.queue, i, p.enter(v, ev.Job))
			}
		}
	}
}

// at is where a job is in the queue, or would be.
func (p *Policy) at(j sim.JobID) (int, bool) {
	return slices.BinarySearchFunc(p.queue, j, func(w waiting, j sim.JobID) int { return int(w.job) - int(j) })
}

// enter makes a job's entry.
func (p *Policy) enter(v *sim.View, j sim.JobID) waiting {
	a, t := v.Job(j).Public(), v.Topology()
	w := waiting{job: j, user: p.userOf(a.User),
		demand: plan.Demand{GPUs: int32(v.Job(j).GPUs()), Type: a.GPUType, ShareMilli: 1000, CPUMilli: a.CPUMilli,
			MemMiB: a.MemMiB}}
	if a.ShareMilli > 0 {
		w.demand.ShareMilli = a.ShareMilli
	}
	p.users[w.user].waiting++
	if len(p.spare) == 0 {
		for more := make([]float64, 256*p.types); len(more) > 0; more = more[p.types:] {
			p.spare = append(p.spare, more[:p.types:p.types])
		}
	}
	n := len(p.spare) - 1
	w.rate, p.spare = p.spare[n][:0], p.spare[:n]
	g := int(w.demand.GPUs)
	fits := false
	for i, name := range t.Types() {
		r := 0.0
		if a.GPUType == "" || a.GPUType == name || name == "" && p.types == 1 {
			if g <= t.CarriesOf(i, w.demand.PerGPU()) {
				fits, r = true, p.speed(v, j, p.empty.Type(i), g)
			}
		}
		w.rate = append(w.rate, r)
	}
	w.wide = !fits && p.speed(v, j, p.empty, g) > 0
	return w
}

// speed is the speed of a job on GPUs of an empty cluster, placed as well as it can; 0 = it cannot
// run there.
func (p *Policy) speed(v *sim.View, j sim.JobID, f *cluster.Free, gpus int) float64 {
	for l := cluster.LevelSlot; l <= cluster.LevelCluster; l++ {
		if f.Largest(l) >= gpus {
			p.sample, _ = f.At(p.sample[:0], gpus, l, cluster.BestFit)
			if r := v.Predict(j, sim.Placement{GPUs: p.sample, Alone: true}).Rate; r > 0 && !math.IsInf(r, 1) {
				return r
			}
			return 0
		}
	}
	return 0
}

// start takes a job out of the queue and appends its start. e states when it is expected to end.
func (p *Policy) start(v *sim.View, w *waiting, gpus []cluster.GPU, e ending, out []sim.Decision) []sim.Decision {
	part := 0.0
	for _, g := range gpus {
		part += 1 / float64(p.size[p.typeOf[v.Topology().Machine(g)]])
	}
	p.began(v.Now(), holder{w.job, w.user, part, true, e})
	p.users[w.user].waiting--
	p.spare = append(p.spare, w.rate)
	i, _ := p.at(w.job)
	out = append(out, sim.Decision{Kind: sim.Start, Job: w.job, GPUs: gpus})
	p.queue = slices.Delete(p.queue, i, i+1)
	return out
}

// leftOver starts jobs that no type alone can hold, where GPUs are left over; all that fit when
// nothing else runs.
func (p *Policy) leftOver(v *sim.View, out []sim.Decision, all bool) []sim.Decision {
	for i := 0; i < len(p.queue); {
		w := &p.queue[i]
		var gpus []cluster.GPU
		ok := false
		if w.wide {
			gpus, ok = p.place.Place(v, &w.demand)
		}
		for t := 0; all && !ok && t < p.types; t++ {
			if w.rate[t] > 0 {
				gpus, ok = p.place.OfType(v, t, &w.demand)
			}
		}
		if ok {
			out = p.start(v, w, gpus, ending{}, out)
		} else {
			i++
		}
	}
	return out
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.place, c.queue, c.running, c.users, c.names = p.place.Clone(), slices.Clone(p.queue), slices.Clone(p.running),
		slices.Clone(p.users), maps.Clone(p.names)
	for i := range c.queue {
		c.queue[i].rate = slices.Clone(c.queue[i].rate)
	}
	if p.empty != nil {
		c.empty = cluster.NewFree(p.empty.Topology())
	}
	c.spare, c.match, c.sample, c.ranked = nil, match{shut: make([]bool, p.types)}, nil, nil
	return &c
}
