package ones

import (
	"math"

	"tarry/baselines/ones/progress"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/rng"
)

// Policy is one ONES scheduler. Build it with New; it belongs to one run.
type Policy struct {
	cfg    config
	draws  *rng.Stream // of the search and of what is left
	model  *progress.Model
	taught int // jobs from which it learned
	train  int // as many make the next training
	curves plan.Curves
	sizer  *plan.Sizer
	target plan.Target

	pools    []pool
	one      bool        // the cluster has one GPU type
	apart    []sim.JobID // jobs that no pool counts, in order of arrival
	at       []int32     // pool of each job
	unused   []*life
	memories []*memory
	marked   marks
	due      bool     // something happened since the last search
	late     bool     // what it wanted could not be met
	last     sim.Time // of the last search, Never = none yet
	wakes    plan.Alarm

	// Of a decision:
	blocks bool    // slots are GPUs
	of     []int32 // slot of each GPU in its pool, -1 = held by a job apart
	now    []cluster.GPU
	was    []int32
	runs   []sim.Time
	wants  []plan.Want
	store  []cluster.GPU
	counts []plan.Count
}

// marks reports whether the speed model has epochs.
type marks uint8

const (
	unknown marks = iota
	some
	none
)

// New is ONES. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := settings(s)
	source := rng.Source{Seed: c.seed, Experiment: "ones"}
	p := &Policy{cfg: c, sizer: plan.NewSizer(rule), train: 4, last: sim.Never}
	p.draws, p.model = source.Stream("search"), progress.New(c.predict, source.Stream("network"))
	return p, s.Err()
}

// Knows declares progress and, where throughputs are known, speeds.
func (p *Policy) Knows() know.Set {
	if p.cfg.known {
		return know.Progress | know.Speed
	}
	return know.Progress
}

// Decide searches after arrivals, ends, epochs and changes of the cluster.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.pools == nil {
		p.open(v)
	}
	out = p.follow(v, out)
	now := v.Now()
	if !p.due {
		return out
	}
	if p.last != sim.Never && now < p.last+p.cfg.every {
		return p.wakes.Set(now, p.last+p.cfg.every, out)
	}
	p.due, p.last = false, now
	p.blocks = p.isPlain()
	p.survey(v)
	for i := range p.pools {
		p.search(v, &p.pools[i])
	}
	return p.settle(v, out)
}

// follow takes note of what happened.
func (p *Policy) follow(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive:
			if v.Run(ev.Job).State() == sim.Waiting {
				p.join(v, ev.Job)
				p.due = true
			}
		case sim.Finish:
			p.leave(v, ev.Job)
			p.due = true
		case sim.OutOfMemory, sim.Fail, sim.Repair:
			p.due = true
			if ev.Job != sim.NoJob {
				if l := p.lifeOf(ev.Job); l != nil { // it is back at a checkpoint
					l.mark, l.through = 0, 0
				}
			}
		case sim.Drained:
			p.due = p.due || p.late || v.Waiting() > 0
		case sim.Cross:
			out = p.crossed(v, ev.Job, out)
		}
	}
	return out
}

// crossed measures a job at the end of an epoch, or just after its start, and asks for the next
// one.
func (p *Policy) crossed(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	l := p.lifeOf(j)
	if l == nil || v.Run(j).State() != sim.Running {
		return out
	}
	if p.marked == unknown {
		p.marked = none
		if _, ok := v.Run(j).Telemetry(); ok || !math.IsInf(v.Run(j).NextMark(), 1) {
			p.marked = some
		}
	}
	end, before := l.mark > 0 && done(v, j) >= math.Floor(l.mark), l.epoch
	p.look(v, l)
	if end {
		l.epoch = max(l.epoch, before+1)
		if l.counts { // all that it has been through since it was last looked at
			l.epoch = max(l.epoch, int32(min(done(v, j)/p.cfg.epoch, math.MaxInt32)))
		}
		l.ended(int32(len(v.Run(j).Held())))
		l.mark = 0
		p.due = true
	}
	return append(out, p.watch(v, l))
}

// done is the work of a job in whole microseconds, a part rounded up: its last bits follow from
// what is left.
func done(v *sim.View, j sim.JobID) float64 { return math.Ceil(v.Run(j).Done() - 1e-3) }

// watch asks for the end of the present epoch of a job. Where it is not known yet, because the job
// does not run, it asks for an instant just after the start; so it does in the last epoch, whose
// end is not known, to measure the job after a move.
func (p *Policy) watch(v *sim.View, l *life) sim.Decision {
	d := sim.Decision{Kind: sim.Watch, Job: l.job, Counter: sim.Progress}
	done := done(v, l.job)
	if math.Floor(l.mark) <= done {
		l.mark = 0
	}
	if l.mark == 0 && p.marked != unknown {
		next := math.Inf(1)
		if p.marked == some {
			next = v.Run(l.job).NextMark() // NaN where it does not run
		}
		l.marks = l.marks || !math.IsInf(next, 1) && !math.IsNaN(next)
		if l.mark = next; math.IsInf(next, 1) && !l.marks { // else it is in its last epoch
			step := p.cfg.step(done)
			l.mark, l.counts = (math.Floor(done/step)+1)*step, true
		} else if math.IsNaN(next) {
			l.mark = 0
		}
	}
	if l.mark == 0 || math.IsInf(l.mark, 1) && l.through == 0 {
		d.Bound = sim.Time(done) + 1
		return d
	}
	if d.Bound = sim.Never; l.mark < float64(sim.Never) { // no mark cancels
		d.Bound = max(sim.Time(math.Ceil(l.mark)), sim.Time(done)+1) // a mark on a grid may lie at what is done already
	}
	return d
}
