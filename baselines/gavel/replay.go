package gavel

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// replay is the simulator's own clock and what it knows of the present round. Its times are seconds
// in float64, as there: the kernel's are whole microseconds, and each is aimed at the exact value,
// so that nothing adds up.
type replay struct {
	now, end, last float64 // end of the last round with jobs; last computation, 0 = none
	until          float64 // end of the present round
	need           bool
	calls          int // rounds chosen so far
	arrived        int
	wait           []sim.JobID // arrivals since the last round
	runs           []stint
	order          []int
	wake           sim.Time // Never = nothing runs
	tries          int
}

// stint is what a job does in a round.
type stint struct {
	job    sim.JobID
	col    int32
	steps  float64
	finish float64
	fails  bool // less than a step for each worker
	ends   bool // all its steps are done
	idle   bool // the kernel has no GPUs for it
}

// counted is the simulator's account of a job.
type counted struct {
	left  float64 // steps, whole
	fails int
}

// ahead is by how much more than its steps a job runs in a round in which it is not the last: so
// that the rounding of the kernel's clock never makes it late.
const ahead = 20 * sim.Microsecond

// replay decides as the simulator does: at the end of a round, or at an arrival when nothing runs.
func (p *Policy) replay(v *sim.View, out []sim.Decision) []sim.Decision {
	r := p.old
	for _, ev := range v.Events() {
		switch {
		case ev.Kind == sim.Arrive:
			r.wait = append(r.wait, ev.Job)
			r.arrived++
		case (ev.Kind == sim.Fail || ev.Kind == sim.Repair) && ev.Job == sim.NoJob:
			p.count(v)
			r.need = true
		}
	}
	if len(r.runs) > 0 {
		if v.Now() < r.wake {
			return out
		}
		if wait, soon := p.unfinished(v); soon {
			return append(out, sim.Decision{Kind: sim.WakeAt, At: v.Now() + sim.Microsecond})
		} else if wait { // its end, or what befalls it, is an event
			return out
		}
	}
	before := len(out)
	out = p.pass(v, out)
	if len(r.runs) == 0 && len(p.active) > 0 && r.arrived == v.NumJobs() {
		out = p.pass(v, out[:before]) // with new fractions
	}
	if len(r.runs) > 0 {
		out = append(out, sim.Decision{Kind: sim.WakeAt, At: r.wake})
	}
	return out
}

// unfinished reports whether a job whose steps should be done has more to do, and whether that is
// microseconds: the kernel's rounding. A job with more has paid for its start, or run slower than
// expected; the round ends with it.
func (p *Policy) unfinished(v *sim.View) (wait, soon bool) {
	r := p.old
	for i := range r.runs {
		s := &r.runs[i]
		if !s.ends || s.idle || v.Run(s.job).State() == sim.Done {
			continue
		}
		rate := v.Run(s.job).Speed().Rate
		if v.Run(s.job).State() != sim.Running || rate == 0 { // a fault; or its end is not known
			s.ends, s.idle = false, true
			continue
		}
		wait = true
		soon = soon || r.tries < 100 && v.Run(s.job).Left() <= 100*rate
	}
	if r.tries++; !wait {
		r.tries = 0
	}
	return wait, soon
}

// pass is one turn of the simulator's loop.
func (p *Policy) pass(v *sim.View, out []sim.Decision) []sim.Decision {
	r := p.old
	if len(r.runs) == 0 && r.arrived == v.NumJobs() && len(r.wait) == 0 {
		r.last = 0
	}
	start := r.end
	if len(r.runs) > 0 {
		r.now = r.until
		if now := v.Now().Seconds(); now > r.now+1e-3 { // the round took longer than expected
			r.now = now
		}
		r.end = r.now
		p.book(v, start)
	} else {
		r.now = max(r.now, v.Now().Seconds())
	}
	for _, j := range r.wait {
		p.join(v, j)
		p.of(j).left = p.stepsOf(v, j)
		r.need = true
	}
	r.wait = r.wait[:0]
	if r.need && (r.now-r.last >= p.cfg.recompS || r.last == 0) {
		p.rounds.Reset(r.now - r.last)
		r.last, r.need = r.now, false
		p.allocate(v, r.now)
	}
	p.choose(v)
	p.run(v)
	return p.write(v, out)
}

// stepsOf is how many whole steps a job has left, steps of a job without iterations being
// microseconds of work.
func (p *Policy) stepsOf(v *sim.View, j sim.JobID) float64 {
	m := p.of(j)
	left := v.Run(j).Left() / (m.stepS * 1e6)
	if near := math.Round(left); math.Abs(left-near) <= 1e-6*max(1, near) || near == 0 {
		left = near
	}
	return max(1, math.Ceil(left))
}

// book counts what the round has done, the job that finished last first.
func (p *Policy) book(v *sim.View, start float64) {
	r := p.old
	slices.SortFunc(r.runs, func(a, b stint) int {
		if c := cmp.Compare(b.finish, a.finish); c != 0 {
			return c
		}
		return cmp.Compare(a.job, b.job)
	})
	for i := range r.runs {
		s := &r.runs[i]
		m := p.of(s.job)
		e := s.finish - start
		if e <= 0 || s.fails {
			m.fails++
			r.need = true
			if m.fails == 5 {
				p.leave(s.job)
			}
			continue
		}
		m.fails = 0
		m.left -= s.steps
		p.rounds.Ran(p.rounds.Row(s.job), int(s.col), e)
		if s.ends || v.Run(s.job).State() == sim.Done {
			p.leave(s.job)
			r.need = true
			continue
		}
		if got := v.Run(s.job).Left() / (m.stepS * 1e6); s.idle || m.left < 1 || math.Abs(got-m.left) > 1 {
			m.left = p.stepsOf(v, s.job) // faults, costs, neighbours
		}
	}
	r.runs = r.runs[:0]
}

// choose picks the round's rows.
func (p *Policy) choose(v *sim.View) {
	p.turns = p.turns[:0]
	p.rounds.Open()
	for _, c := range p.ordered(v.Topology().Types(), p.old.calls) {
		p.turns, _ = p.rounds.Pick(c, p.usable[c], p.cfg.fill, p.turns)
	}
	p.old.calls++
}

// run finds out what each does: whole steps, as many as the round has time for.
func (p *Policy) run(v *sim.View) {
	r := p.old
	for _, t := range p.turns {
		m := &p.rows[t.Row]
		if !t.Known && p.cfg.late {
			continue
		}
		rate := m.rate[t.Type]
		steps := rate * p.cfg.roundS
		if p.cfg.whole {
			steps = math.Trunc(steps)
		}
		s := stint{job: t.Job, col: t.Type, steps: min(steps, m.left)}
		s.finish = r.now + s.steps/rate
		s.ends = s.steps == m.left
		if p.cfg.split {
			s.fails = s.steps == 0 || t.GPUs > 1 && s.steps < float64(t.GPUs)
			s.ends = s.ends && !s.fails
		}
		r.runs = append(r.runs, s)
	}
	r.wake = sim.Never
	if len(r.runs) > 0 {
		end := r.now + p.cfg.roundS
		if p.cfg.last {
			end = 0
			for i := range r.runs {
				end = max(end, r.runs[i].finish)
			}
		}
		r.until, r.wake = end, max(sim.Seconds(end), v.Now()+1)
	}
}

// write gives the round's jobs their GPUs: the GPUs of the last round where they can stay, else the
// widest job first. Each waits at first, so that at the end of the round it has done its
// steps and no more, and one that ends in it ends when it should.
func (p *Policy) write(v *sim.View, out []sim.Decision) []sim.Decision {
	r := p.old
	p.place.Begin(v)
	for _, j := range v.Running() {
		if v.Run(j).CheckpointTime() == 0 {
			p.place.Vacate(v, j, p.demandOf(v, j))
		}
		out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
	}
	slices.SortFunc(r.runs, func(a, b stint) int {
		if c := cmp.Compare(p.of(b.job).demand.GPUs, p.of(a.job).demand.GPUs); c != 0 {
			return c
		}
		return cmp.Compare(a.job, b.job)
	})
	for i := range r.runs {
		s := &r.runs[i]
		held := v.Run(s.job).Held()
		if s.idle = true; s.fails || v.Run(s.job).State() == sim.Draining ||
			len(held) > 0 && v.Run(s.job).CheckpointTime() > 0 {
			continue
		}
		if len(held) > 0 && p.column(v.Topology(), v.Topology().Machine(held[0])) == int(s.col) &&
			p.place.Stay(v, held, &p.of(s.job).demand) {
			out = append(out, p.enter(v, s, held))
		}
	}
	for i := range r.runs {
		s := &r.runs[i]
		if !s.idle || s.fails || v.Run(s.job).State() == sim.Draining || v.Run(s.job).State() == sim.Running &&
			v.Run(s.job).CheckpointTime() > 0 {
			continue
		}
		if gpus, ok := p.place.OfType(v, p.types[s.col], &p.of(s.job).demand); ok {
			out = append(out, p.enter(v, s, gpus))
		}
	}
	return out
}

// enter gives a job GPUs with the pause that makes it do its steps exactly.
func (p *Policy) enter(v *sim.View, s *stint, gpus []cluster.GPU) sim.Decision {
	s.idle = false
	m, d := p.of(s.job), sim.Decision{Kind: sim.Start, Job: s.job, GPUs: gpus}
	rate := v.Predict(s.job, sim.Placement{GPUs: gpus, Alone: true}).Rate
	if rate <= 0 {
		return d
	}
	work, end, more := v.Run(s.job).Left(), sim.Seconds(s.finish), sim.Time(0)
	if !s.ends {
		work -= float64(float64((m.left-s.steps)*m.stepS) * 1e6)
		end, more = p.old.wake, ahead
	}
	if work < float64(float64(p.cfg.round)*rate)*2 { // else it lags by more than a round
		d.Delay = max(0, end-v.Now()-more-sim.Time(math.Ceil(work/rate-1e-3)))
	}
	return d
}

// demandOf is a running job's demand, which need not be active any more.
func (p *Policy) demandOf(v *sim.View, j sim.JobID) *plan.Demand {
	if n := p.rounds.Row(j); n >= 0 {
		return &p.rows[n].demand
	}
	k := v.Job(j).Public()
	p.gone = plan.Demand{GPUs: k.GPUs, ShareMilli: max(k.ShareMilli, 1), CPUMilli: k.CPUMilli, MemMiB: k.MemMiB}
	if k.ShareMilli == 0 {
		p.gone.ShareMilli = 1000
	}
	return &p.gone
}
