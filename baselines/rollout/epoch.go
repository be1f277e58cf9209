package rollout

import (
	"cmp"
	"slices"

	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/law"
)

// variant is a change of the order.
type variant struct {
	job  sim.JobID
	by   int8
	area float64 // GPU time left, s
}

// improve compares variants, and takes the best that is sure enough.
func (p *Planner) improve(v *sim.View) error {
	of := func(j sim.JobID) law.Law { return p.order.Ranker.(Ranker).Law(v, j) }
	p.choose(v, of)
	if len(p.variants) == 0 {
		return nil
	}
	i, err := p.compare(v, len(p.variants), of, func(i int) (float64, error) { return p.play(v, i) })
	if err == nil && i != base {
		p.order.set(v, p.variants[i].job, p.variants[i].by)
	}
	return err
}

// choose lists the variants: the waiting jobs with the least GPU time left are promoted, the running
// jobs with the most are demoted.
func (p *Planner) choose(v *sim.View, of lawOfJob) {
	p.present(v)
	p.variants = p.variants[:0]
	least := func(a, b variant) int { return cmp.Or(cmp.Compare(a.area, b.area), cmp.Compare(a.job, b.job)) }
	for _, j := range p.jobs {
		if v.Run(j).State() == sim.Waiting && p.order.in(v, j) >= 0 {
			p.variants = append(p.variants, variant{job: j, by: -1, area: p.areaLeft(v, j, of)})
		}
	}
	slices.SortFunc(p.variants, least)
	n := p.cfg.Variants
	if p.cfg.Demotes {
		n = (n + 1) / 2
	}
	p.variants = p.variants[:min(n, len(p.variants))]
	if n = len(p.variants); !p.cfg.Demotes {
		return
	}
	for _, j := range p.jobs {
		if v.Run(j).State() == sim.Running && p.order.in(v, j) <= 0 {
			p.variants = append(p.variants, variant{job: j, by: +1, area: -p.areaLeft(v, j, of)})
		}
	}
	slices.SortFunc(p.variants[n:], least)
	p.variants = p.variants[:min(p.cfg.Variants, len(p.variants))]
}

// play gives the sum of completion times of the jobs in the system under a variant.
func (p *Planner) play(v *sim.View, i int) (float64, error) {
	if err := p.follow(v); err != nil {
		return 0, err
	}
	if p.trial == nil {
		p.trial = new(contest.Policy)
	}
	p.trial.CopyFrom(p.base, contest.CopyTimers(p.trial.Timers(), p.base.Timers()))
	if i != base {
		p.trial.OrderedBy().(*bend).set(v, p.variants[i].job, p.variants[i].by)
	}
	return p.playOut(p.trial)
}
