package plan

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// Scatter chooses GPUs on as many machines as it can, one by one from machines with most free GPUs,
// and takes them; a job that shares a GPU gets one of its own while there is one.
func (p *Placer) Scatter(v *sim.View, d *Demand) ([]cluster.GPU, bool) {
	f := v.Free().Of(d.Type)
	if f == nil {
		return nil, false
	}
	n, ok := len(p.arena), false
	if p.arena, ok = f.Scatter(p.arena, int(d.GPUs)); ok {
		return p.settle(v, d, n)
	}
	return p.Place(v, d)
}

// Fragments chooses GPUs so that large free pieces stay whole, and takes them: leftovers
// first, from the machine with fewest free GPUs on.
func (p *Placer) Fragments(v *sim.View, d *Demand) ([]cluster.GPU, bool) {
	f := v.Free().Of(d.Type)
	if f == nil {
		return nil, false
	}
	left := int(d.GPUs)
	if d.ShareMilli < 1000 || f.Total() < left {
		return p.Place(v, d)
	}
	return p.pieces(v, f, d, left, p.rule, func() int { return 1 })
}

// Emptiest chooses GPUs machine by machine, each time as many as are needed of the one with most
// free GPUs (the lowest among equals), and takes them: few machines, and large free pieces are
// broken first.
func (p *Placer) Emptiest(v *sim.View, d *Demand) ([]cluster.GPU, bool) {
	f := v.Free().Of(d.Type)
	if f == nil {
		return nil, false
	}
	if d.ShareMilli < 1000 || f.Total() < int(d.GPUs) {
		return p.Place(v, d)
	}
	return p.pieces(v, f, d, int(d.GPUs), cluster.BestFit, func() int { return f.Largest(cluster.LevelMachine) })
}

// pieces chooses GPUs machine by machine: from the machine that the rule takes for so many GPUs as
// next reports, until none are left to choose.
func (p *Placer) pieces(v *sim.View, f *cluster.Free, d *Demand, left int, rule cluster.Rule,
	next func() int) ([]cluster.GPU, bool) {
	n, mark, t := len(p.arena), v.Free().Mark(), v.Topology()
	for left > 0 {
		at := len(p.arena)
		p.arena, _ = f.At(p.arena, next(), cluster.LevelMachine, rule)
		m := t.Machine(p.arena[at])
		k := min(left, f.InMachine(m))
		p.arena = f.FromMachine(p.arena[:at], m, k, p.rule)
		v.Free().TakeAll(p.arena[at:])
		left -= k
	}
	v.Free().Rollback(mark)
	p.sorted(n)
	return p.settle(v, d, n)
}

// settle books what was appended to the arena from n on; when its hosts have no room for it,
// the demand is placed as Place does.
func (p *Placer) settle(v *sim.View, d *Demand, n int) ([]cluster.GPU, bool) {
	if d.hosted() && !p.carry(v, p.arena[n:], d) {
		p.arena = p.arena[:n]
		return p.Place(v, d)
	}
	gpus := p.arena[n:len(p.arena):len(p.arena)]
	for _, g := range gpus {
		p.book(v, g, d.ShareMilli, d)
	}
	return gpus, true
}

// On chooses GPUs on the given machines, in that order, and takes them; false when together
// they do not have them free or their hosts have no room.
func (p *Placer) On(v *sim.View, d *Demand, machines ...int32) ([]cluster.GPU, bool) {
	f := v.Free().Of(d.Type)
	if f == nil {
		return nil, false
	}
	n, left := len(p.arena), int(d.GPUs)
	for _, m := range machines {
		k := min(left, f.InMachine(int(m)), p.roomOf(v, int(m), d))
		if k > 0 {
			p.arena = f.FromMachine(p.arena, int(m), k, p.rule)
			left -= k
		}
	}
	if left > 0 {
		p.arena = p.arena[:n]
		return nil, false
	}
	p.sorted(n)
	return p.settle(v, d, n)
}
