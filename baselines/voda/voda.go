package voda

import (
	"math"
	"slices"

	"tarry/baselines/voda/allocate"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy shares a cluster by counts. Build it with New, NewAFSL, NewAFSP or NewEDL; it belongs to
// one run.
type Policy struct {
	cfg    config
	rule   sharing
	sizer  *plan.Sizer
	curves plan.Curves
	queues queues
	pools  []pool
	apart  []sim.JobID // jobs that are not counted, in order of arrival
	at     []int32     // of each job

	counts  []plan.Count
	starts  []plan.Count
	grid    []uint32 // stamp of each GPU that a job apart has
	stamp   uint32
	changed bool     // something happened since the last rescheduling
	late    bool     // a count of the last one could not be met
	blocked sim.Time // no rescheduling before this instant
	again   sim.Time // sharing anew though nothing happened; Never = no
	wakes   plan.Alarm
}

// config has the parameters.
type config struct {
	queued          bool // jobs have queues
	lengths         bool // the rule reads what is left
	speeds          bool // the rule reads speeds, and has the speed model's
	estimate        bool
	attained        bool // what is left stands for what is attained
	peak            bool // no more GPUs than where a job is fastest
	interval, every sim.Time
}

// sharing gives each job of a pool a number of GPUs, in the memory of the last ones.
type sharing interface {
	share(q *pool, gpus int) []int
	clone() sharing
}

// one is one of the eight algorithms.
type one struct{ allocate.Allocator }

func (o *one) share(q *pool, gpus int) []int {
	o.Ranks = q.ranks
	return o.Allocate(q.jobs, gpus, q.gpus)
}

func (o *one) clone() sharing {
	a := allocate.New(o.Algorithm, o.Corrected)
	a.Mins, a.Compact, a.Ordered = o.Mins, o.Compact, o.Ordered
	return &one{*a}
}

// afsRule is the tournament of AFS.
type afsRule struct{ allocate.Tournament }

func (a *afsRule) share(q *pool, gpus int) []int { return a.Share(q.jobs, gpus, q.gpus) }

func (a *afsRule) clone() sharing {
	return &afsRule{allocate.Tournament{Own: a.Own, Mins: a.Mins, Earlier: a.Earlier, Attained: a.Attained}}
}

// New is vodascheduler. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) { return NewBy(true)(s, rule) }

// NewBy gives the maker of vodascheduler with corrected algorithms, or as the published program has
// them: jobs then get at most their max, and wait while they have less than their min.
func NewBy(corrected bool) func(*param.Set, cluster.Rule) (sim.Policy, error) {
	return func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
		names := allocate.Names()
		a := allocate.New(allocate.Algorithm(slices.Index(names, s.Enum("algorithm", names...))), corrected)
		return eight(s, rule, a, config{estimate: s.Enum("work", "known", "estimate") == "estimate"}, 30, 5)
	}
}

// NewEDL is E-Tiresias, EDL's scheduler. Parameters: EDLParams.
//
//  1. Jobs stand by Tiresias' two queues (3 600 GPU-seconds; promoted after a wait of 8 times the
//     last run), inside by first start; each that fits gets the GPUs that it asked for.
//  2. If more than 10 jobs have nothing, jobs of the second queue shrink to their least count.
//  3. GPUs that are left go one by one to the job with the largest gain of speed.
//  4. plan.Sizer finds the GPUs with few moves.
func NewEDL(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return eight(s, rule, allocate.New(allocate.ElasticTiresias, true), config{}, 0, 0)
}

// eight is one of the eight algorithms with the times of its paper.
func eight(s *param.Set, rule cluster.Rule, a *allocate.Allocator, c config, interval, check float64) (*Policy, error) {
	a.Mins, a.Ordered = a.Corrected, true
	c.interval = sim.Seconds(s.Float("interval", interval, 0, 1e9))
	c.queued = a.Algorithm == allocate.Tiresias || a.Algorithm == allocate.ElasticTiresias
	c.lengths = a.Algorithm == allocate.SRJF || a.Algorithm == allocate.ElasticSRJF || a.Algorithm == allocate.AFSL
	c.speeds = a.Algorithm == allocate.ElasticTiresias || a.Algorithm == allocate.FfDLOptimizer ||
		a.Algorithm == allocate.AFSL
	c.speeds = s.Enum("curve", "model", "linear") == "model" && c.speeds
	c.peak = a.Algorithm == allocate.AFSL && a.Corrected
	q := queues{check: sim.Seconds(s.Float("check", check, 0, 1e6)),
		bound: sim.Seconds(s.Float("queue", 3600, 0.001, 1e12))}
	if q.knob = s.Float("promote", 8, 0, math.Inf(1)); math.IsInf(q.knob, 1) {
		q.knob = -1
	}
	a.Compact = s.Int("compact", allocate.Compaction, 0, 1e9)
	return build(s, rule, c, q, &one{*a})
}

// NewAFSL is AFS-L. Parameters: AFSLParams.
//
//  1. Every job that can have its least count gets it, in order of arrival.
//  2. Each further GPU goes to the winner of a tournament along the list: of the holder and the
//     next job let s be the one with less time left at its count w, l the other; l wins if
//     (T_l(w+1) - T_l(w)) / T_l(w+1) > (T_s(w+1) - T_s(w)) / T_s(w), with the throughput T at
//     each job's own count.
//  3. No job gets a GPU beyond the count at which it is fastest.
//  4. Counts are shared anew at arrivals and ends; plan.Sizer finds the GPUs with few moves.
func NewAFSL(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := config{lengths: true, estimate: s.Enum("work", "known", "estimate") == "estimate"}
	return tournament(s, rule, c)
}

// NewAFSP is AFS-P. Parameters: AFSPParams.
//
//  1. The tournament of afs-l, with attained GPU-time in place of the time left.
//  2. Counts are shared anew at arrivals and ends; lengths are unknown.
func NewAFSP(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return tournament(s, rule, config{attained: true})
}

func tournament(s *param.Set, rule cluster.Rule, c config) (sim.Policy, error) {
	c.interval, c.every = sim.Seconds(s.Float("interval", 0, 0, 1e9)), sim.Seconds(s.Float("every", 0, 0, 1e9))
	c.speeds, c.peak = s.Enum("curve", "model", "linear") == "model", true
	own := s.Enum("share", "own", "common") == "own"
	return build(s, rule, c, queues{}, &afsRule{allocate.Tournament{Own: own, Mins: true, Earlier: true,
		Attained: c.attained}})
}

func build(s *param.Set, rule cluster.Rule, c config, q queues, r sharing) (*Policy, error) {
	p := &Policy{cfg: c, rule: r, queues: q, sizer: plan.NewSizer(rule), again: sim.Never}
	if s.Enum("place", "packed", "near") == "packed" {
		p.sizer.Moves = plan.MovePacked
	}
	return p, s.Err()
}

// Knows declares speeds and what is left, where the algorithm reads them.
func (p *Policy) Knows() know.Set {
	k := know.Nothing
	if p.cfg.speeds {
		k |= know.Speed
	}
	switch {
	case p.cfg.lengths && p.cfg.estimate:
		k |= know.Estimate | know.Done
	case p.cfg.lengths:
		k |= know.Work
	}
	return k
}

// Decide notes what happened and reschedules if that is due.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.pools == nil {
		p.open(v)
	}
	urgent := p.follow(v)
	if p.queues.look(v) {
		p.move()
		p.changed = true
	}
	if p.again <= v.Now() {
		p.changed, p.again = true, sim.Never
	}
	if p.changed && (urgent || p.blocked <= v.Now()) {
		out = p.reschedule(v, out)
	}
	return p.ask(v, out)
}

// follow takes note of events. It reports whether GPUs became free for which the last rescheduling
// has found a job: that is not held up.
func (p *Policy) follow(v *sim.View) (urgent bool) {
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive:
			if v.Run(ev.Job).State() == sim.Waiting {
				p.join(v, ev.Job)
				p.changed = true
			}
		case sim.Finish:
			p.leave(v, ev.Job)
			p.changed = true
		case sim.OutOfMemory, sim.Fail, sim.Repair:
			p.changed = true
			if ev.Job == sim.NoJob {
				p.count(v)
			} else if v.Run(ev.Job).State() == sim.Waiting {
				p.waits(v, ev.Job)
			}
		case sim.Drained:
			if v.Run(ev.Job).State() == sim.Waiting {
				p.waits(v, ev.Job)
			}
			p.changed, urgent = p.changed || p.late, urgent || p.late
		case sim.Cross:
			p.queues.crossed(v, ev.Job)
		}
	}
	return urgent
}

// waits notes that a job has stopped.
func (p *Policy) waits(v *sim.View, j sim.JobID) {
	if p.cfg.queued {
		p.queues.waits(v, j)
	}
	p.refresh(v, j)
}

// reschedule shares the GPUs anew.
func (p *Policy) reschedule(v *sim.View, out []sim.Decision) []sim.Decision {
	p.changed, p.late, p.blocked = false, false, v.Now()+p.cfg.interval
	p.share(v)
	if p.again = sim.Never; p.cfg.every > 0 && len(p.counts) > 0 {
		p.again = v.Now() + p.cfg.every
	}
	n := len(out)
	out = p.sizer.Decide(v, p.counts, out)
	p.late = p.late || len(p.sizer.Late()) > 0
	for _, d := range out[n:] {
		switch {
		case d.Kind == sim.Start:
			p.starting(v, d.Job)
			if p.cfg.queued {
				out = p.queues.starts(v, d.Job, out)
			}
		case d.Kind == sim.Preempt && v.Run(d.Job).CheckpointTime() == 0 && p.cfg.queued:
			p.queues.waits(v, d.Job)
		}
	}
	return out
}

// ask asks for a timer for what is due first.
func (p *Policy) ask(v *sim.View, out []sim.Decision) []sim.Decision {
	at := min(p.queues.next(), p.again)
	if p.changed {
		at = min(at, p.blocked)
	}
	return p.wakes.Set(v.Now(), at, out)
}
