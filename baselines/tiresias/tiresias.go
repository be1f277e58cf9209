package tiresias

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one Tiresias scheduler. Build it with New or NewGittins; it belongs to one run.
type Policy struct {
	cfg     config
	queues  Queues
	index   Index
	marks   []mark // by job; see Index
	waiting plan.Queue
	place   *plan.Placer
	rebuild plan.Rebuild
	// program takes the place of waiting and rebuild; nil = there is none.
	program Program
	// consolidated[j] caches whether the job's skew is above PACKLIMIT; 0 = not yet known.
	consolidated []int8
	// fit fits PACKLIMIT; nil = it is fixed.
	fit    *fitted
	wakes  plan.Alarm
	inited bool
}

// config has the parameters.
type config struct {
	gittins bool
	bounds  []sim.Time
	knob    float64
	pack    float64  // PACKLIMIT, the last one where it is fitted
	unknown float64  // skew of a model that was not profiled
	place   string   // of placements
	quantum sim.Time // of the Gittins index; 0 = the queue's bound
	indexed bool     // the last queue has the index too
}

// New is Discretized 2D-LAS. The error joins every fault of the parameters.
//
//  1. Attained service A is GPUs x running time since the last promotion; queue i holds the jobs
//     with A below its bound.
//  2. A job enters the first queue, falls to the next when A reaches the bound, and returns to
//     the first when it has waited promote times as long as it last ran.
//  3. At each event all jobs stand by queue, inside a queue by first start; jobs that never
//     started come last.
//  4. Down that list each job is chosen whose GPUs fit in what is left; the others are preempted.
//  5. A job is placed consolidated, for which it waits (place=skew: only where the skew of its
//     model is above PACKLIMIT).
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return build(s, rule, 8, false, nil)
}

// NewGittins is Discretized 2D-Gittins. It reads the run's history of work (know.History); without
// one it orders as New does.
//
//  1. Queues, falls and promotions as in tiresias.
//  2. Inside a queue jobs stand by the Gittins index of their attained service a, the largest
//     first: P(S - a <= d | S > a) / E[min(S - a, d) | S > a], with S the service of the jobs of
//     the history and the quantum d the queue's bound (quantum).
//  3. In the last queue they stand by first start (last=index: by the index).
//  4. Choice, preemption and placement as in tiresias.
func NewGittins(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return build(s, rule, 8, true, nil)
}

// maxQueues bounds K so that queue and first start fit in one exact key.
const maxQueues = 16

func build(s *param.Set, rule cluster.Rule, knob float64, gittins bool, program Program) (*Policy, error) {
	c := config{gittins: gittins}
	last := 0.0
	for _, b := range s.Floats("queues", []float64{18000}, 0.001, 1e12) {
		if b <= last {
			s.Fault("queues are %v after %v GPU-seconds, expected ascending", b, last)
		}
		last = b
		c.bounds = append(c.bounds, sim.Seconds(b))
	}
	if len(c.bounds) >= maxQueues {
		s.Fault("queues names %d bounds, expected at most %d", len(c.bounds), maxQueues-1)
	}
	c.place = s.Enum("place", placements...)
	pack, fit := readPack(s, c.place)
	c.pack, c.unknown = pack, s.Float("skew_unknown", 1, 0, 1)
	if gittins {
		c.quantum, c.indexed = sim.Seconds(s.Float("quantum", 0, 0, 1e12)), s.Enum("last", "fifo", "index") == "index"
	}
	if c.knob = s.Float("promote", knob, 0, math.Inf(1)); math.IsInf(c.knob, 1) {
		c.knob = 0
	}
	p := &Policy{cfg: c, place: plan.NewPlacer(rule), program: program}
	p.queues, p.fit = Queues{Bounds: c.bounds, knob: c.knob}, fit
	p.rebuild.Key, p.rebuild.Bound, p.rebuild.Put = p.Key, p.bound, p.Put
	if program != nil {
		program.Bind(p)
	}
	return p, s.Err()
}

// Knows declares nothing for 2D-LAS, a history of earlier jobs' work for 2D-Gittins.
func (p *Policy) Knows() know.Set {
	if p.cfg.gittins {
		return know.History
	}
	return know.Nothing
}

// Decide moves jobs between the queues and rebuilds the running set in queue order.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if !p.inited {
		p.init(v)
	}
	if p.fit != nil {
		p.refit(v)
	}
	if p.program != nil {
		return p.program.Decide(v, out)
	}
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Cross:
			if v.Run(ev.Job).State() == sim.Running && p.queues.demote(v, ev.Job) {
				out = p.queues.watch(ev.Job, out)
			}
		case sim.Drained, sim.OutOfMemory, sim.Fail:
			if ev.Job != sim.NoJob && v.Run(ev.Job).State() == sim.Waiting {
				p.queues.demote(v, ev.Job)
				p.queues.Waits(v, ev.Job)
			}
		}
	}
	p.waiting.Follow(v, p.Key, nil)
	for j := p.queues.Promote(v); j != sim.NoJob; j = p.queues.Promote(v) {
		p.waiting.Remove(j)
		p.waiting.Add(v, j, p.Key(v, j), 0)
	}
	planned := len(out)
	out = p.rebuild.Decide(v, &p.waiting, p.place, true, out)
	out = p.Follow(v, out, planned)
	return p.wakes.Set(v.Now(), p.queues.Next(), out)
}

func (p *Policy) init(v *sim.View) {
	p.inited = true
	n := v.NumJobs()
	p.queues.jobs = make([]Place, n)
	p.queues.due = plan.NewHeap[sim.Time, sim.JobID](make([]int32, n))
	p.consolidated = make([]int8, n)
	if p.cfg.gittins {
		p.index, p.marks = NewIndex(v.History()), make([]mark, n)
		p.index.watch(append(slices.Clone(p.cfg.bounds), cmp.Or(p.cfg.quantum, sim.Never)))
	}
}

// Follow takes note of the decisions from index n on: who is preempted begins to wait, who is
// started is watched.
func (p *Policy) Follow(v *sim.View, out []sim.Decision, n int) []sim.Decision {
	for i, end := n, len(out); i < end; i++ {
		switch j := out[i].Job; out[i].Kind {
		case sim.Preempt:
			if v.Run(j).CheckpointTime() == 0 {
				p.queues.Waits(v, j)
			}
		case sim.Start:
			p.queues.starts(j)
			out = p.Watch(j, out)
		}
	}
	return out
}
