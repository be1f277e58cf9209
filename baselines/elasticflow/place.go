package elasticflow

import (
	"tarry/sim"
	"tarry/sim/plan"
)

// place gives jobs their numbers of GPUs.
func (p *Policy) place(v *sim.View, out []sim.Decision) []sim.Decision {
	p.counts = p.counts[:0]
	for m := range p.each {
		if m.gpus > 0 {
			p.counts = append(p.counts, plan.Count{Job: m.id, GPUs: m.gpus})
		}
	}
	return p.placer.Decide(v, p.counts, out)
}
