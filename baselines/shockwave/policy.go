package shockwave

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

// Policy is one Shockwave scheduler. Build it with New; it belongs to one run.
type Policy struct {
	cfg    config
	sizer  *plan.Sizer
	active []*member // by job, which is the order of arrival
	unused []*member
	block  []roomy // not yet used
	came   []sim.JobID
	round1 []*member // of the present round
	counts []plan.Count
	shares
	window window
	// due is when the present round ends, Never = none runs; start when it began; round its number,
	// -1 before the first.
	due, start sim.Time
	round      int
	quiet      bool    // every job runs, and the round lasts until something happens
	changed    bool    // jobs came or went since the targets were estimated
	since      int     // rounds since the last window
	gpus       int     // that may be used
	program    Program // nil = the kernel's account
	lastS      float64 // by a program's account how long the round is, s
	empty      *cluster.Free
	scratch    []cluster.GPU
}

// New reads the parameters. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p, err := NewFor(s, rule, nil)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// NewFor is New for another program's account of jobs; nil = the kernel's.
func NewFor(s *param.Set, rule cluster.Rule, program Program) (*Policy, error) {
	p := &Policy{cfg: settings(s), program: program, sizer: plan.NewSizer(rule), due: sim.Never, round: -1}
	if err := s.Err(); err != nil {
		return nil, err
	}
	p.fair = Fair{ResetS: 1000, Spare: 1}
	if p.shares.policy = p.cfg.policy; p.cfg.policy != "shockwave" {
		p.rounds = plan.NewRounds(1, p.cfg.roundS/2)
	}
	return p, nil
}

// Knows declares speeds and work: a job's number of epochs is known, as its user states it.
func (p *Policy) Knows() know.Set { return know.Speed | know.Work | know.Progress }

// Decide chooses a round when the last one has ended; in between GPUs that come free are given out.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	ended := false
	for _, e := range v.Events() {
		switch e.Kind {
		case sim.Arrive:
			p.came = append(p.came, e.Job)
		case sim.Finish:
			p.leave(e.Job)
			ended = true
		}
	}
	if p.due != sim.Never && v.Now() < p.due && !(p.program != nil && ended && len(v.Running()) == 0) {
		if p.program == nil {
			out = p.between(v, out)
		}
		return out
	}
	return p.begin(v, out)
}

// leave forgets a job.
func (p *Policy) leave(j sim.JobID) {
	if i, ok := slices.BinarySearchFunc(p.active, j, func(m *member,
		j sim.JobID) int {
		return cmp.Compare(m.id, j)
	}); ok {
		m := p.active[i]
		p.shares.leave(m)
		p.active = slices.Delete(p.active, i, i+1)
		p.changed = true
		if k := slices.Index(p.round1, m); k >= 0 {
			p.round1 = slices.Delete(p.round1, k, k+1)
		}
		p.window.forget(m)
		if p.unused = append(p.unused, m); m.accounted {
			p.program.Close(j)
		}
	}
}

// find gives an active job, nil where there is none.
func (p *Policy) find(j sim.JobID) *member {
	if i, ok := slices.BinarySearchFunc(p.active, j, func(m *member,
		j sim.JobID) int {
		return cmp.Compare(m.id, j)
	}); ok {
		return p.active[i]
	}
	return nil
}

// begin ends a round and begins the next.
func (p *Policy) begin(v *sim.View, out []sim.Decision) []sim.Decision {
	p.book(v)
	for _, j := range p.came {
		if v.Run(j).State() == sim.Waiting {
			p.join(v, j)
		}
	}
	p.came = p.came[:0]
	if len(p.active) == 0 {
		p.due, p.quiet = sim.Never, false
		return out
	}
	if p.round++; p.quiet {
		n := max(0, int((v.Now()-p.start)/p.cfg.round)-1)
		p.round, p.since, p.quiet = p.round+n, p.since+n, false
	}
	p.gpus = v.Usable()
	p.round1 = p.round1[:0]
	if p.rounds != nil {
		p.pick(v.Now().Seconds(), p.program != nil)
	} else {
		p.chosen(v)
	}
	before := len(out)
	out = p.apply(v, out)
	p.start, p.due = v.Now(), v.Now()+p.cfg.round
	if p.program != nil && p.lastS > 0 {
		p.due = v.Now() + sim.Seconds(p.lastS) + 2*sim.Microsecond
	}
	if len(out) == before && len(v.Running()) == 0 && v.Draining() == 0 {
		if out = p.between(v, out); len(out) > before {
			return append(out, sim.Decision{Kind: sim.WakeAt, At: p.due})
		}
		p.due = sim.Never // no job can be placed, and time alone does not change that
		return append(out, sim.Decision{Kind: sim.WakeAt, At: sim.Never})
	}
	if p.quiet = p.program == nil && p.settled(v, out[before:]); p.quiet {
		p.due = sim.Never
	}
	return append(out, sim.Decision{Kind: sim.WakeAt, At: p.due})
}

// settled reports whether every job runs after these decisions: then no round ends until something
// happens.
func (p *Policy) settled(v *sim.View, out []sim.Decision) bool {
	waiting := v.Waiting() + v.Draining()
	for i := range out {
		switch out[i].Kind {
		case sim.Start:
			waiting--
		case sim.Preempt:
			waiting++
		}
	}
	return waiting == 0
}

// chosen takes the jobs of the present round from the window, a new one where jobs came or went or
// it is old.
func (p *Policy) chosen(v *sim.View) {
	w := &p.window
	p.since++
	if p.changed {
		p.estimate()
	}
	if p.changed || p.since >= p.cfg.reopt || p.round-w.from >= len(w.jobs) || p.gpus != w.problem.GPUs {
		nowS := v.Now().Seconds()
		if p.program != nil {
			nowS = float64(float64(p.round) * p.cfg.roundS)
		}
		p.plan(nowS)
		p.changed, p.since = false, 0
	}
	p.round1 = append(p.round1, w.jobs[p.round-w.from]...)
}

// apply gives the jobs of the round their GPUs.
func (p *Policy) apply(v *sim.View, out []sim.Decision) []sim.Decision {
	p.counts, p.lastS = p.counts[:0], 0
	for _, m := range p.round1 {
		c := plan.Count{Job: m.id, GPUs: int32(m.gpus)}
		if m.accounted {
			t := Turn{Ran: m.ran, Round: p.round, RoundS: p.cfg.roundS, UnitUS: m.unit}
			lengthS := 0.0
			c, lengthS = p.program.Enter(v, t, c)
			p.lastS = max(p.lastS, lengthS)
		}
		p.counts = append(p.counts, c)
	}
	for _, m := range p.active {
		m.ran, m.chosen = false, false
	}
	for _, m := range p.round1 {
		m.ran, m.chosen = true, true
	}
	return p.sizer.Decide(v, p.counts, out)
}

// book counts what the round has done.
func (p *Policy) book(v *sim.View) {
	if p.due == sim.Never && !p.quiet {
		return
	}
	for _, m := range p.active {
		if m.accounted {
			p.bookProgram(m)
			continue
		}
		done := v.Run(m.id).Done() / m.unit
		m.progress = min(m.epochs, int64(math.Floor(done+1e-9)))
		m.measured.epochs, m.rangeS = done, v.Run(m.id).Time().Seconds()
		if v.Run(m.id).State() == sim.Running {
			p.watch(v, m)
		}
		if m.ran && p.rounds != nil {
			p.rounds.Ran(m.row, 0, (v.Now() - p.start).Seconds())
		}
	}
}

// between gives GPUs that are free inside a round to jobs that wait: to jobs that have a place in
// it, and when these all run to the others, jobs with the longest remaining time first.
func (p *Policy) between(v *sim.View, out []sim.Decision) []sim.Decision {
	if v.Free().Total() == 0 || v.Waiting() == 0 {
		return out
	}
	p.counts = p.counts[:0]
	for _, j := range v.Running() {
		p.counts = append(p.counts, plan.Count{Job: j, GPUs: int32(len(v.Run(j).Held()))})
	}
	running, wait := len(p.counts), false
	for _, m := range p.round1 {
		if s := v.Run(m.id).State(); s == sim.Waiting {
			p.counts = append(p.counts, plan.Count{Job: m.id, GPUs: int32(m.gpus)})
		} else if s == sim.Draining {
			wait = true
		}
	}
	places := len(p.counts) - running
	if places == 0 && !wait || len(v.Running()) == 0 && v.Draining() == 0 {
		p.others(v)
	}
	if len(p.counts) == running {
		return out
	}
	before := len(out)
	out = p.sizer.Decide(v, p.counts, out)
	for _, c := range p.counts[running+places:] {
		p.find(c.Job).chosen = false
	}
	for _, d := range out[before:] {
		if m := p.find(d.Job); m != nil && d.Kind == sim.Start {
			m.ran = true
		}
	}
	return out
}

// others lists the jobs that wait and have no place in the round, and takes in new ones.
func (p *Policy) others(v *sim.View) {
	for _, j := range p.came {
		if v.Run(j).State() == sim.Waiting {
			p.join(v, j)
		}
	}
	p.came = p.came[:0]
	if len(v.Running()) == 0 && v.Draining() == 0 { // no job of the round can be placed: any that can
		for _, m := range p.active {
			p.idler(v, m)
		}
		return
	}
	for room := v.Free().Total(); room > 0; {
		var best *member
		for _, m := range p.active {
			if m.gpus <= room && !m.chosen && (best == nil || m.leftS > best.leftS) && v.Run(m.id).State() == sim.Waiting {
				best = m
			}
		}
		if best == nil {
			return
		}
		p.idler(v, best)
		room -= best.gpus
	}
}

// idler lists a job that waits and has no place in the round.
func (p *Policy) idler(v *sim.View, m *member) {
	if !m.chosen && v.Run(m.id).State() == sim.Waiting {
		m.chosen = true
		p.counts = append(p.counts, plan.Count{Job: m.id, GPUs: int32(m.gpus)})
	}
}
