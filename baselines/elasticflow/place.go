package elasticflow

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/plan"
	"tarry/sim/plan/buddy"
)

// place gives jobs their numbers of GPUs: the widest first, in buddy blocks where all jobs ask for
// whole GPUs and nothing else.
func (p *Policy) place(v *sim.View, out []sim.Decision) []sim.Decision {
	p.counts = p.counts[:0]
	plain := p.cfg.buddy
	for m := range p.each {
		if m.gpus == 0 {
			continue
		}
		p.counts = append(p.counts, plan.Count{Job: m.id, GPUs: m.gpus})
		plain = plain && buddy.Plain(v, m.id)
	}
	slices.SortStableFunc(p.counts, func(a, b plan.Count) int { return cmp.Compare(b.GPUs, a.GPUs) })
	if plain && p.blocks.Fits(v) {
		return p.target.Decide(v, p.blocks.Place(v, p.counts), out)
	}
	return p.sizer.Decide(v, p.counts, out)
}
