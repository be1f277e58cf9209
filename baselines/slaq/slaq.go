package slaq

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/loss"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/rng"
)

// Policy is one SLAQ scheduler. Build it with New; it belongs to one run.
type Policy struct {
	every        sim.Time
	fair, ranged bool
	drawn        bool // losses are drawn even where jobs measure theirs
	points       int
	fade         float64
	half, sigma  float64
	draws        *rng.Stream
	sizer        *plan.Sizer
	curves       plan.Curves
	book         []life     // jobs in the system, in the order in which they came
	epoch        plan.Alarm // the next
	spare        [][]loss.Point
	// Of a decision:
	left   []int // idle GPUs of each type
	heap   []bid
	counts []plan.Count
}

// New is SLAQ. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{every: max(1, sim.Seconds(s.Float("epoch", 300, 1e-6, 1e12))), sizer: plan.NewSizer(rule)}
	p.fair, p.ranged = s.Enum("by", "quality", "fair") == "fair", s.Enum("norm", "change", "range") == "range"
	p.drawn = s.Enum("loss", "auto", "drawn") == "drawn"
	p.points, p.fade = s.Int("points", 20, 3, 1000), s.Float("fade", 5, 1e-3, 1e9)
	p.half, p.sigma = s.Float("half", 3600, 1e-9, 1e12), s.Float("sigma", 1, 0, 10)
	if s.Enum("place", "packed", "near") == "packed" {
		p.sizer.Moves = plan.MoveBuddy
	}
	p.draws = Curves(uint64(s.Int64("seed", 1, 0, math.MaxInt64)))
	return p, s.Err()
}

// Curves is the stream from which a run with a seed draws the curves of its jobs, in the order in
// which they arrive.
func Curves(seed uint64) *rng.Stream {
	return rng.Source{Seed: seed, Experiment: "slaq"}.Stream("loss curves")
}

// Knows declares progress, the reports, speeds and, unless losses are drawn, telemetry.
func (p *Policy) Knows() know.Set {
	if p.drawn {
		return know.Done | know.Speed
	}
	return know.Done | know.Speed | know.Progress
}

// Decide gives out all GPUs anew when an epoch is due, and between epochs starts jobs on GPUs that
// are free.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.follow(v)
	v.Free().Rollback(0)
	p.open(v)
	if p.epoch.Rung(v.Now()) {
		for i := range p.book {
			p.report(v, &p.book[i])
		}
		p.share(v, true)
		out = p.settle(v, out)
	} else if v.Waiting() > 0 && v.Free().Total() > 0 {
		for i := range p.book {
			if l := &p.book[i]; v.Run(l.job).State() == sim.Running {
				l.has = len(v.Run(l.job).Held())
			}
		}
		for t := range p.left {
			p.left[t] = v.Free().Type(t).Total()
		}
		p.share(v, false)
		out = p.settle(v, out)
	}
	return p.wake(v, out)
}

// open counts the GPUs of each type that are free or held by jobs.
func (p *Policy) open(v *sim.View) {
	top := v.Topology()
	types := top.Types()
	p.left = p.left[:0]
	for t := range types {
		p.left = append(p.left, v.Free().Type(t).Total())
	}
	for i := range p.book {
		l := &p.book[i]
		l.has, l.had = 0, -1
		for _, g := range v.Run(l.job).Held() {
			if v.Run(l.job).State() == sim.Running {
				l.had = slices.Index(types, top.Type(top.Machine(g)))
				p.left[l.had]++
			}
		}
	}
}

// follow takes note of who came and went.
func (p *Policy) follow(v *sim.View) {
	for _, ev := range v.Events() {
		switch {
		case ev.Job == sim.NoJob:
		case ev.Kind == sim.Arrive:
			p.book = append(p.book, p.life(v, ev.Job))
		case ev.Kind == sim.Finish:
			if i := slices.IndexFunc(p.book, func(l life) bool { return l.job == ev.Job }); i >= 0 {
				if r := p.book[i].reports; r != nil {
					p.spare = append(p.spare, r[:0])
				}
				p.book = slices.Delete(p.book, i, i+1)
			}
		}
	}
}

// life looks at a job that arrives, and draws how its loss will fall.
func (p *Policy) life(v *sim.View, j sim.JobID) life {
	c := p.curves.Counts(v, j)
	l := life{job: j, lo: c.Lo, hi: c.Hi, unit: c.Unit, typ: c.Type, speed: c.Speed, wide: c.Wide, iterS: v.Job(j).IterS(),
		truth: loss.Draw(p.draws, p.half, p.sigma)}
	if !(l.iterS > 0) {
		l.iterS = 1
	}
	l.first = l.truth.At(0)
	return l
}

// wake asks for the next epoch while one can change something: while jobs run and some wait or can
// have other numbers.
func (p *Policy) wake(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.epoch.At(v.Now()) != sim.Never || len(v.Running())+v.Draining()+len(out) == 0 {
		return out
	}
	if v.Waiting() == 0 && !slices.ContainsFunc(p.book, func(l life) bool { return l.lo < l.hi }) {
		return out
	}
	return p.epoch.Set(v.Now(), (v.Now()/p.every+1)*p.every, out)
}
