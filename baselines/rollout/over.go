package rollout

import (
	"cmp"
	"fmt"
	"slices"

	"tarry/baselines/over"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/law"
)

// improver is a planner over any policy that can be cloned. Build it with newImprover.
type improver struct {
	stage
	base    *gate
	changes []change
	lists   [ways][]change
}

// change is what is done about one job.
type change struct {
	how  way
	job  sim.JobID
	area float64     // by which changes of a way are listed: the least first
	more []sim.JobID // the jobs of a cut
}

// way is a kind of change.
type way uint8

const (
	// promote holds all others back until the job starts.
	promote way = iota
	// evict preempts the job and holds it back.
	evict
	// delay holds the job back.
	delay
	// cut holds all waiting jobs back that have more GPU time left than the job.
	cut
	// free ends a delay.
	free
	ways
)

// newImprover is a planner over a policy, which is its own from now on. Config.Demotes is not read.
func newImprover(cfg Config, of over.Host) *improver {
	return &improver{stage: stage{cfg: cfg}, base: newGate(of)}
}

// Knows is what the base reads, and what the plays do.
func (p *improver) Knows() know.Set { return p.base.Knows() | p.knows() }

// Decide implements sim.Policy.
func (p *improver) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.due(v) {
		if err := p.improve(v); err != nil {
			v.Fail(fmt.Errorf("rollout: %w", err))
			return out
		}
	}
	return p.base.Decide(v, out)
}

// improve compares changes, and makes the best that is sure enough.
func (p *improver) improve(v *sim.View) error {
	of := func(j sim.JobID) law.Law { return lawOf(v, j) }
	p.choose(v, of)
	if len(p.changes) == 0 {
		return nil
	}
	i, err := p.compare(v, len(p.changes), of, func(i int) (float64, error) { return p.play(v, i) })
	if err == nil && i != base {
		p.base.change(p.changes[i], v.Now()+p.cfg.Hold)
	}
	return err
}

// choose lists the changes, one of each way in turn: waiting jobs with the least mean GPU time left
// are promoted, running and waiting jobs with the most are evicted and held back.
func (p *improver) choose(v *sim.View, of lawOfJob) {
	p.present(v)
	for w := range p.lists {
		p.lists[w] = p.lists[w][:0]
	}
	add := func(how way, j sim.JobID, area float64) {
		p.lists[how] = append(p.lists[how], change{how: how, job: j, area: area})
	}
	for _, j := range p.jobs {
		area := p.areaLeft(v, j, of)
		held := slices.ContainsFunc(p.base.holds, func(h hold) bool { return h.job == j })
		switch s := v.Run(j).State(); {
		case s == sim.Running:
			add(evict, j, -area)
		case s != sim.Waiting:
		case held:
			add(free, j, area)
			add(promote, j, area)
		default:
			add(delay, j, -area)
			add(promote, j, area)
		}
	}
	for _, l := range p.lists {
		slices.SortFunc(l, func(a, b change) int { return cmp.Or(cmp.Compare(a.area, b.area), cmp.Compare(a.job, b.job)) })
	}
	p.cuts()
	p.changes = p.changes[:0]
	for k, more := 0, true; more; k++ {
		more = false
		for _, l := range p.lists {
			if k < len(l) && len(p.changes) < p.cfg.Variants {
				p.changes, more = append(p.changes, l[k]), true
			}
		}
	}
}

// cuts lists cuts at the half of the waiting jobs, at quarters and at eighths.
func (p *improver) cuts() {
	l := p.lists[promote]
	jobs := make([]sim.JobID, len(l))
	for i := range l {
		jobs[i] = l[i].job
	}
	for parts := 2; parts <= 8; parts *= 2 {
		for k := 1; k < parts; k += 2 {
			if at := len(l) * k / parts; at > 0 && at < len(l)-1 {
				p.lists[cut] = append(p.lists[cut], change{how: cut, job: jobs[at-1], more: jobs[at:]})
			}
		}
	}
}

// play gives the sum of completion times of the jobs in the system under a change.
func (p *improver) play(v *sim.View, i int) (float64, error) {
	if err := p.follow(v); err != nil {
		return 0, err
	}
	trial := p.base.Clone().(*gate)
	if i != base {
		trial.change(p.changes[i], v.Now()+p.cfg.Hold)
	}
	return p.playOut(trial)
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *improver) Clone() sim.Policy {
	return &improver{stage: p.copied(), base: p.base.Clone().(*gate)}
}
