package muxflow

import (
	"math"
	"slices"

	"tarry/baselines/muxflow/pairs"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Params describes the settings for the catalogue.
const Params = `match       best: the matching of largest sum | greedy: the largest pair first | first: the first GPU
share       fixed part of each GPU for the job, in whole tenths up to 0.9; 0: what requests leave
sensitivity part of a job's speed that full activity beside it takes, 0..1
cooldown_s  time for which a GPU gets no job after an eviction`

// Policy is one scheduler. Build it with New; it belongs to one run.
type Policy struct {
	match       string
	fixed       int // tenths; 0 = by activity
	sensitivity float64
	cooldown    sim.Time

	queue   plan.Queue
	place   *plan.Placer
	beside  []pair         // jobs beside replicas, by GPU
	cools   []sim.Time     // GPU -> until when it gets no job
	waiting []sim.JobID    // of one GPU, in order
	online  []cluster.GPU  // with a replica and no job
	hosts   []pairs.Online // the same
	evicted []sim.JobID
	lowered []cluster.GPU // where a replica may have less than the whole
	aside   []sim.JobID
}

// pair is a job beside a replica.
type pair struct {
	job    sim.JobID
	gpu    cluster.GPU
	tenths int
}

// New reads the parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule), match: s.Enum("match", "best", "greedy", "first"),
		sensitivity: s.Float("sensitivity", 0.2, 0, 1), cooldown: sim.Seconds(s.Float("cooldown_s", 60, 0, 1e9))}
	p.fixed = int(10*s.Float("share", 0, 0, 0.9) + 0.5)
	return p, s.Err()
}

// Knows is the utilisation and memory of jobs.
func (p *Policy) Knows() know.Set { return know.Profile }

// Decide starts jobs on free GPUs, moves shares with the load, and pairs jobs with replicas.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.cools == nil {
		p.cools = make([]sim.Time, v.Topology().GPUs())
	}
	p.queue.Follow(v, func(*sim.View, sim.JobID) float64 { return 0 }, nil)
	out = p.adjust(v, out)
	p.place.Begin(v)
	p.queue.Open()
	for {
		j := p.queue.Best()
		if j == sim.NoJob {
			break
		}
		gpus, ok := p.place.Place(v, p.queue.Demand(j))
		if !ok {
			p.queue.Close(j)
			continue
		}
		p.queue.Remove(j)
		out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
	}
	if v.Services().Len() == 0 {
		return out
	}
	return p.rest(v, p.pair(v, out))
}

// rest asks for an instant at which a GPU has cooled down.
func (p *Policy) rest(v *sim.View, out []sim.Decision) []sim.Decision {
	next := sim.Never
	for _, at := range p.cools {
		if at > v.Now() {
			next = min(next, at)
		}
	}
	if p.queue.Len() > 0 && next != sim.Never {
		out = append(out, sim.Decision{Kind: sim.WakeAt, At: next})
	}
	return out
}

// activity is how busy requests keep a GPU with a replica.
func activity(v *sim.View, replica sim.JobID) float64 {
	s := v.Services()
	i := s.Of(replica)
	use, whole := 1.0, float64(s.Spec(i).RatePerS*float64(s.Ready(i)))
	switch load := s.Load(i); {
	case load == 0:
		return 0
	case load < whole:
		use = load / whole
	}
	if u := s.Spec(i).UtilFrac; u > 0 {
		use *= u
	}
	return use
}

// seen is a GPU with a replica as pairs has it.
func (p *Policy) seen(v *sim.View, g cluster.GPU, replica sim.JobID) pairs.Online {
	o := pairs.Online{Activity: activity(v, replica), UsedMiB: int64(v.Run(replica).Knobs().GPUMiB),
		HasMiB: v.Topology().GPUMiB(v.Topology().Machine(g)),
		Unhealthy: v.Services().Room(g)+p.held(v, replica) <= 0 || p.cools[g] > v.Now() ||
			v.Run(replica).State() != sim.Running}
	if o.HasMiB == 0 { // no machine states it
		o.HasMiB = math.MaxInt64
	}
	return o
}

// held is what a replica has of its GPU, in thousandths.
func (p *Policy) held(v *sim.View, replica sim.JobID) int {
	if v.Run(replica).State() != sim.Running {
		return 0
	}
	return int(v.Run(replica).Knobs().ShareMilli)
}

// tenths is the share for a job.
func (p *Policy) tenths(o *pairs.Online) int {
	if p.fixed > 0 {
		return p.fixed
	}
	return min(9, int(10*pairs.Share(o.Activity)+0.5)) // the replica keeps a tenth
}

// adjust forgets pairs that ended, lets shares follow the load, and gives replicas that are alone the
// whole.
func (p *Policy) adjust(v *sim.View, out []sim.Decision) []sim.Decision {
	p.evicted = p.evicted[:0]
	p.lowered = slices.DeleteFunc(p.lowered, func(g cluster.GPU) bool {
		replica := v.Services().On(g)
		if replica != sim.NoJob && v.Sharers(g) > 0 {
			return false
		}
		if replica != sim.NoJob && v.Run(replica).Knobs().ShareMilli < 1000 {
			out = append(out, tune(replica, 1000))
		}
		return true
	})
	p.beside = slices.DeleteFunc(p.beside, func(x pair) bool {
		r := v.Run(x.job)
		return r.State() != sim.Running || len(r.Held()) != 1 || r.Held()[0] != x.gpu
	})
	for i := range p.beside {
		x := &p.beside[i]
		replica := v.Services().On(x.gpu)
		if replica == sim.NoJob { // the replica is gone: the job has what it can use
			if x.tenths < 10 && v.Share(x.gpu) == 100*x.tenths {
				x.tenths = 10
				out = append(out, tune(x.job, 1000))
			}
			continue
		}
		o := p.seen(v, x.gpu, replica)
		switch n := p.tenths(&o); {
		case n <= 0:
			p.evicted = append(p.evicted, x.job)
			p.cools[x.gpu] = v.Now() + p.cooldown
			out = append(out, sim.Decision{Kind: sim.Preempt, Job: x.job})
			if v.Run(x.job).CheckpointTime() == 0 { // it waits at once, without an event
				p.queue.Add(v, x.job, 0, 0)
			}
		case n < x.tenths:
			x.tenths = n
			out = append(out, tune(x.job, 100*n), tune(replica, 1000-100*n))
		case n > x.tenths:
			x.tenths = n
			out = append(out, tune(replica, 1000-100*n), tune(x.job, 100*n))
		}
	}
	return out
}

func tune(j sim.JobID, milli int) sim.Decision {
	return sim.Decision{Kind: sim.Tune, Job: j, Knobs: sim.Knobs{ShareMilli: int32(milli)}}
}
