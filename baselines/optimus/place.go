package optimus

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// put gives jobs whose number changed other GPUs, the smaller ones first; jobs whose number stays
// keep theirs.
func (p *Policy) put(v *sim.View, out []sim.Decision) []sim.Decision {
	p.placer.Begin(v)
	p.wants, p.order, p.arena = p.wants[:0], p.order[:0], p.arena[:0]
	for i := range p.book {
		l := &p.book[i]
		if l.had > 0 && l.had == l.has {
			p.wants = append(p.wants, plan.Want{Job: l.job, GPUs: v.Run(l.job).Held()})
			continue
		}
		if l.had > 0 && (l.has > 0 || v.Run(l.job).CheckpointTime() == 0) {
			d := p.demand(v, l, l.had)
			p.placer.Vacate(v, l.job, &d)
		}
		if l.has > 0 {
			p.order = append(p.order, int32(i))
		}
	}
	slices.SortStableFunc(p.order, func(a, b int32) int { return cmp.Compare(p.book[a].has, p.book[b].has) })
	for _, i := range p.order {
		l := &p.book[i]
		d := p.demand(v, l, l.has)
		gpus, ok := p.choose(v, &d)
		if !ok && l.had > 0 { // no room for its CPU or memory: it stays where it is, if it can
			d = p.demand(v, l, l.had)
			gpus = v.Run(l.job).Held()
			ok = p.placer.Stay(v, gpus, &d)
		}
		if ok {
			p.wants = append(p.wants, plan.Want{Job: l.job, GPUs: gpus})
		}
	}
	v.Free().Rollback(0)
	return p.target.Decide(v, p.wants, out)
}

// demand is what a job asks for on n GPUs.
func (p *Policy) demand(v *sim.View, l *life, n int) plan.Demand {
	a := v.Run(l.job).Knobs()
	d := plan.Demand{GPUs: int32(n), ShareMilli: a.ShareMilli, CPUMilli: a.CPUMilli, MemMiB: a.MemMiB}
	if l.on >= 0 {
		d.Type = v.Topology().Types()[l.on]
	}
	return d
}

// choose chooses GPUs that are free.
func (p *Policy) choose(v *sim.View, d *plan.Demand) ([]cluster.GPU, bool) {
	if d.ShareMilli < 1000 {
		return p.placer.Place(v, d)
	}
	if p.place == emptiest {
		return p.placer.Emptiest(v, d)
	}
	if gpus, ok := p.evenly(v, d); ok {
		return gpus, true
	}
	return p.placer.Emptiest(v, d)
}

// spot is a machine with free GPUs.
type spot struct{ machine, free int32 }

// evenly spreads a demand over the fewest machines, with most free GPUs, so that their
// numbers differ by one at most.
func (p *Policy) evenly(v *sim.View, d *plan.Demand) ([]cluster.GPU, bool) {
	f := v.Free().Of(d.Type)
	if f == nil || f.Total() < int(d.GPUs) {
		return nil, false
	}
	p.spots = p.spots[:0]
	for m := range v.Topology().Machines() {
		if n := f.InMachine(m); n > 0 {
			p.spots = append(p.spots, spot{int32(m), int32(n)})
		}
	}
	slices.SortStableFunc(p.spots, func(a, b spot) int { return cmp.Compare(b.free, a.free) })
	for k := 1; k <= len(p.spots) && k <= int(d.GPUs); k++ {
		each, more := int(d.GPUs)/k, int(d.GPUs)%k
		last, first := int(p.spots[k-1].free), int(p.spots[max(more-1, 0)].free)
		if last < each || more > 0 && first < each+1 {
			continue
		}
		at := len(p.arena)
		for i, r := range p.spots[:k] {
			n := each
			if i < more {
				n++
			}
			p.arena = f.FromMachine(p.arena, int(r.machine), n, cluster.BestFit)
		}
		gpus := p.arena[at:len(p.arena):len(p.arena)]
		slices.Sort(gpus)
		if p.placer.Stay(v, gpus, d) {
			return gpus, true
		}
		p.arena = p.arena[:at]
	}
	return nil, false
}

// resize leaves the choice of GPUs to a Sizer.
func (p *Policy) resize(v *sim.View, out []sim.Decision) []sim.Decision {
	p.counts = p.counts[:0]
	for _, run := range [...]bool{true, false} { // running jobs choose first: they stay where they are
		for i := range p.book {
			l := &p.book[i]
			if l.has > 0 && (l.had > 0) == run {
				p.counts = append(p.counts, plan.Count{Job: l.job, GPUs: int32(l.has)})
			}
		}
	}
	return p.sizer.Decide(v, p.counts, out)
}
