package gavelsim

import (
	"cmp"
	"math"
	"slices"

	"tarry/baselines/gavel"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one scheduler with the habits of Gavel's simulator. Build it with New; it belongs to one
// run. Its times are seconds in float64, as in that simulator: the kernel's are whole microseconds,
// and each is aimed at the exact value, so that nothing adds up.
type Policy struct {
	habits *habits
	book   *gavel.Book
	place  *plan.Placer

	now, end, last float64 // end of the last round with jobs; last computation, 0 = none
	until          float64 // end of the present round
	need           bool    // the fractions do not fit the jobs any more
	calls          int     // rounds chosen so far
	arrived        int
	wait           []sim.JobID // arrivals since the last round
	runs           []stint
	failed         []int    // by row of plan.Rounds, rounds running in which the job failed
	wake           sim.Time // Never = nothing runs
	tries          int
	turns          []plan.Turn // scratch, as order and gone
	order          []int
	gone           plan.Demand
}

// New reads the parameters. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule)}
	h := read(s)
	p.habits = &h
	p.book = gavel.NewBook(s, gavel.Rules{Counted: true, UnitS: 1e-6, Rate: p.habits.rate, Blind: true})
	if err := s.Err(); err != nil {
		return nil, err
	}
	return p, nil
}

// Knows declares speeds, progress and the work that is left.
func (p *Policy) Knows() know.Set { return know.Speed | know.Done | know.Work }

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

// ahead is by how much more than its steps a job runs in a round in which it is not the last: so
// that the rounding of the kernel's clock never makes it late.
const ahead = 20 * sim.Microsecond

// Decide decides as the simulator does: at the end of a round, or at an arrival when nothing runs.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if !p.book.Begun() {
		p.book.Begin(v)
	}
	for _, ev := range v.Events() {
		switch {
		case ev.Kind == sim.Arrive:
			p.wait = append(p.wait, ev.Job)
			p.arrived++
		case (ev.Kind == sim.Fail || ev.Kind == sim.Repair) && ev.Job == sim.NoJob:
			p.book.Count(v)
			p.need = true
		}
	}
	if len(p.runs) > 0 {
		if v.Now() < p.wake {
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
	if len(p.runs) == 0 && len(p.book.Active()) > 0 && p.arrived == v.NumJobs() {
		out = p.pass(v, out[:before]) // with new fractions
	}
	if len(p.runs) > 0 {
		out = append(out, sim.Decision{Kind: sim.WakeAt, At: p.wake})
	}
	return out
}

// unfinished reports whether a job whose steps should be done has more to do, and whether that is
// microseconds: the kernel's rounding. A job with more has paid for its start, or run slower than
// expected; the round ends with it.
func (p *Policy) unfinished(v *sim.View) (wait, soon bool) {
	for i := range p.runs {
		s := &p.runs[i]
		if !s.ends || s.idle || v.Run(s.job).State() == sim.Done {
			continue
		}
		rate := v.Run(s.job).Speed().Rate
		if v.Run(s.job).State() != sim.Running || rate == 0 { // a fault; or its end is not known
			s.ends, s.idle = false, true
			continue
		}
		wait = true
		soon = soon || p.tries < 100 && v.Run(s.job).Left() <= 100*rate
	}
	if p.tries++; !wait {
		p.tries = 0
	}
	return wait, soon
}

// pass is one turn of the simulator's loop.
func (p *Policy) pass(v *sim.View, out []sim.Decision) []sim.Decision {
	if len(p.runs) == 0 && p.arrived == v.NumJobs() && len(p.wait) == 0 {
		p.last = 0
	}
	start := p.end
	if len(p.runs) > 0 {
		p.now = p.until
		if now := v.Now().Seconds(); now > p.now+1e-3 { // the round took longer than expected
			p.now = now
		}
		p.end = p.now
		p.settle(v, start)
	} else {
		p.now = max(p.now, v.Now().Seconds())
	}
	for _, j := range p.wait {
		p.join(v, j)
		p.need = true
	}
	p.wait = p.wait[:0]
	if p.need && (p.now-p.last >= p.book.Pace().RecomputeS || p.last == 0) {
		p.book.Rounds().Reset(p.now - p.last)
		p.last, p.need = p.now, false
		p.book.Allocate(v, p.now)
	}
	p.choose(v)
	p.run(v)
	return p.write(v, out)
}

// join takes in a job that has arrived.
func (p *Policy) join(v *sim.View, j sim.JobID) {
	p.book.Join(v, j)
	p.book.SetLeft(j, p.stepsOf(v, j))
	n := int(p.book.Rounds().Row(j))
	for n >= len(p.failed) {
		p.failed = append(p.failed, 0)
	}
	p.failed[n] = 0
}

// stepsOf is how many whole steps a job has left, steps of a job without iterations being
// microseconds of work.
func (p *Policy) stepsOf(v *sim.View, j sim.JobID) float64 {
	left := v.Run(j).Left() / (p.book.StepS(j) * 1e6)
	if near := math.Round(left); math.Abs(left-near) <= 1e-6*max(1, near) || near == 0 {
		left = near
	}
	return max(1, math.Ceil(left))
}

// settle counts what the round has done, the job that finished last first.
func (p *Policy) settle(v *sim.View, start float64) {
	slices.SortFunc(p.runs, func(a, b stint) int {
		if c := cmp.Compare(b.finish, a.finish); c != 0 {
			return c
		}
		return cmp.Compare(a.job, b.job)
	})
	for i := range p.runs {
		s := &p.runs[i]
		row := p.book.Rounds().Row(s.job)
		e := s.finish - start
		if e <= 0 || s.fails {
			p.failed[row]++
			p.need = true
			if p.failed[row] == 5 {
				p.book.Leave(s.job)
			}
			continue
		}
		p.failed[row] = 0
		left := p.book.Left(s.job) - s.steps
		p.book.SetLeft(s.job, left)
		p.book.Rounds().Ran(row, int(s.col), e)
		if s.ends || v.Run(s.job).State() == sim.Done {
			p.book.Leave(s.job)
			p.need = true
			continue
		}
		if got := v.Run(s.job).Left() / (p.book.StepS(s.job) * 1e6); s.idle || left < 1 || math.Abs(got-left) > 1 {
			p.book.SetLeft(s.job, p.stepsOf(v, s.job)) // faults, costs, neighbours
		}
	}
	p.runs = p.runs[:0]
}
