package rollout

import (
	"cmp"
	"math"
	"slices"

	"tarry/baselines/contest"
	"tarry/sim"
)

// variant is a change of the order, and what it gained.
type variant struct {
	job  sim.JobID
	by   int8
	area float64 // GPU time left, s
	// n is the number of samples; sum and square are of the gains in the sum of completion times,
	// microseconds.
	n           int
	sum, square float64
}

// epoch is the memory of one comparison.
type epoch struct {
	jobs     []sim.JobID // in the system
	variants []variant
	work     []sim.Time // by job
	instants int        // that may still be played
}

// improve compares variants, and takes the best that is sure enough.
func (p *Planner) improve(v *sim.View) error {
	e := &p.epoch
	p.choose(v)
	if len(e.variants) == 0 {
		return nil
	}
	if e.work == nil {
		e.work = make([]sim.Time, v.NumJobs())
	}
	e.instants = p.cfg.Instants
	defer func() { p.plans, p.spent = p.plans+1, p.spent+int64(p.cfg.Instants-e.instants) }()
	least := 1
	if !p.cfg.Exact {
		least = 2
	}
	for range max(least, p.cfg.Samples) {
		if err := p.sample(v); err != nil || v.Cancelled() {
			return err
		}
		if e.instants == 0 || p.cfg.Exact {
			break
		}
	}
	if best := e.best(least, p.cfg.Errors); best != nil {
		p.order.set(v, best.job, best.by)
	}
	return nil
}

// sample plays the base and each variant on one draw, as far as the bound of the epoch allows: a
// play that met it does not count, and the variants after it go without the draw.
func (p *Planner) sample(v *sim.View) error {
	e := &p.epoch
	p.draw(v)
	was, err := p.play(v, nil)
	for i := 0; i < len(e.variants) && err == nil && e.instants > 0 && !v.Cancelled(); i++ {
		a, now := &e.variants[i], 0.0
		if now, err = p.play(v, a); err == nil && e.instants > 0 {
			a.gains(was - now)
		}
	}
	return err
}

// gains adds a sample. Where both last for ever it is one of no gain.
func (a *variant) gains(by float64) {
	if a.n++; !math.IsNaN(by) {
		a.sum, a.square = a.sum+by, a.square+float64(by*by)
	}
}

// choose lists the variants: the waiting jobs with the least GPU time left are promoted, the running
// jobs with the most are demoted.
func (p *Planner) choose(v *sim.View) {
	e := &p.epoch
	e.jobs, e.variants = v.Present(e.jobs[:0]), e.variants[:0]
	least := func(a, b variant) int { return cmp.Or(cmp.Compare(a.area, b.area), cmp.Compare(a.job, b.job)) }
	for _, j := range e.jobs {
		if v.Run(j).State() == sim.Waiting && p.order.in(v, j) >= 0 {
			e.variants = append(e.variants, variant{job: j, by: -1, area: p.areaLeft(v, j)})
		}
	}
	slices.SortFunc(e.variants, least)
	n := p.cfg.Variants
	if p.cfg.Demotes {
		n = (n + 1) / 2
	}
	e.variants = e.variants[:min(n, len(e.variants))]
	if n = len(e.variants); !p.cfg.Demotes {
		return
	}
	for _, j := range e.jobs {
		if v.Run(j).State() == sim.Running && p.order.in(v, j) <= 0 {
			e.variants = append(e.variants, variant{job: j, by: +1, area: -p.areaLeft(v, j)})
		}
	}
	slices.SortFunc(e.variants[n:], least)
	e.variants = e.variants[:min(p.cfg.Variants, len(e.variants))]
}

// play gives the sum of completion times of the jobs in the system under a variant; nil = the base.
func (p *Planner) play(v *sim.View, a *variant) (float64, error) {
	e := &p.epoch
	if err := p.model.Follow(v, func(j sim.JobID) sim.Time { return e.work[j] }); err != nil {
		return 0, err
	}
	if p.trial == nil {
		p.trial = new(contest.Policy)
	}
	p.trial.CopyFrom(p.base, contest.CopyTimers(p.trial.Timers(), p.base.Timers()))
	if a != nil {
		p.trial.OrderedBy().(*bend).set(v, a.job, a.by)
	}
	sum, took, err := p.model.PlayOut(p.trial, e.instants)
	e.instants -= took
	return sum, err
}

// best is the variant with the largest mean gain among these that gained more than so many standard
// errors, on the least number of samples or more; nil = none did.
func (e *epoch) best(least int, errors float64) *variant {
	var best *variant
	most := 0.0
	for i := range e.variants {
		a := &e.variants[i]
		if a.n < least {
			continue
		}
		n := float64(a.n)
		mean, se := a.sum/n, 0.0
		if a.n > 1 {
			se = math.Sqrt(math.Max(0, a.square/n-float64(mean*mean)) / (n - 1))
		}
		if mean > most && mean > errors*se {
			best, most = a, mean
		}
	}
	return best
}
