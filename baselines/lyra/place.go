package lyra

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// class ranks a machine for workers that prefer some: 0 the preferred ones, 1 the others, 2 machines of
// which the return is announced.
func (p *Policy) class(v *sim.View, m, prefer int) int {
	s := v.Services()
	switch {
	case !s.Own(m): // of training
		if prefer == lent {
			return 1
		}
		return 0
	case s.ReturnAt(m) != sim.Never:
		return 2
	case prefer == own:
		return 1
	}
	return 0
}

// typeAt is the index of a machine's type.
func typeAt(t *cluster.Topology, m int) int {
	if types := t.Types(); len(types) > 1 {
		return slices.Index(types, t.Type(m))
	}
	return 0
}

// typeOf is the index of the type of GPUs, -1 where they are of several.
func typeOf(t *cluster.Topology, gpus []cluster.GPU) int {
	if len(t.Types()) == 1 {
		return 0
	}
	typ := typeAt(t, t.Machine(gpus[0]))
	for _, g := range gpus {
		if typeAt(t, t.Machine(g)) != typ {
			return -1
		}
	}
	return typ
}

// start places a base demand: on the machines that it prefers, else anywhere.
func (p *Policy) start(v *sim.View, d *plan.Demand) ([]cluster.GPU, bool) {
	if f := v.Free().Of(d.Type); f == nil || d.ShareMilli == 1000 && f.Total() < int(d.GPUs) {
		return nil, false
	}
	for last := 0; last < 2; last++ {
		if !p.hide(v, last) {
			break
		}
		gpus, ok := p.placer.Place(v, d)
		v.Free().ReleaseAll(p.hidden)
		if ok {
			return gpus, true
		}
	}
	return p.placer.Place(v, d)
}

// hide takes the free GPUs of machines of classes beyond one, and reports whether there are any.
func (p *Policy) hide(v *sim.View, last int) bool {
	p.hidden = p.hidden[:0]
	if v.Services().Len() == 0 {
		return false
	}
	t, f := v.Topology(), v.Free()
	for m := range t.Machines() {
		if n := f.InMachine(m); n > 0 && p.class(v, m, p.cfg.baseOn) > last {
			p.hidden = f.FromMachine(p.hidden, m, n, p.rule)
		}
	}
	f.TakeAll(p.hidden)
	return len(p.hidden) > 0
}

// widest places jobs that start anew, the widest first; where one finds no GPUs then, all stay as they were
// placed.
func (p *Policy) widest(v *sim.View, starts []run) {
	if len(starts) < 2 {
		return
	}
	for i := range starts {
		p.placer.Give(v, starts[i].base, &p.lives[starts[i].job].demand)
	}
	p.order = p.order[:0]
	for i := range starts {
		p.order = append(p.order, int32(i))
	}
	slices.SortStableFunc(p.order, func(a, b int32) int { return cmp.Compare(len(starts[b].base), len(starts[a].base)) })
	for n, i := range p.order {
		r := &starts[i]
		gpus, ok := p.start(v, &p.lives[r.job].demand)
		if !ok {
			p.restore(v, starts, p.order[:n])
			return
		}
		r.have = gpus
	}
	for i := range starts {
		starts[i].base, starts[i].have = starts[i].have, nil
	}
}

// restore gives up the places of some jobs, and takes for all their first places.
func (p *Policy) restore(v *sim.View, starts []run, placed []int32) {
	for _, i := range placed {
		p.placer.Give(v, starts[i].have, &p.lives[starts[i].job].demand)
	}
	for i := range starts {
		starts[i].have = nil
		p.placer.Take(v, starts[i].base, &p.lives[starts[i].job].demand)
	}
}

// piece is what a job holds on one machine: the GPUs [at, at+n) of its list.
type piece struct{ machine, class, at, n int }

// split divides GPUs into n that a job keeps and the others: it keeps GPUs of the machines that it prefers,
// of these of machines where it has most.
func (p *Policy) split(v *sim.View, gpus []cluster.GPU, n, prefer int) (keeps, gives []cluster.GPU) {
	t := v.Topology()
	p.pieces = p.pieces[:0]
	for i, g := range gpus {
		m := t.Machine(g)
		if k := len(p.pieces); k == 0 || p.pieces[k-1].machine != m {
			p.pieces = append(p.pieces, piece{machine: m, class: p.class(v, m, prefer), at: i})
		}
		p.pieces[len(p.pieces)-1].n++
	}
	slices.SortFunc(p.pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(b.n, a.n), cmp.Compare(a.machine, b.machine))
	})
	from := len(p.arena)
	for i := range p.pieces {
		p.arena = append(p.arena, gpus[p.pieces[i].at:p.pieces[i].at+p.pieces[i].n]...)
	}
	all := p.arena[from:len(p.arena):len(p.arena)]
	return all[:n:n], all[n:]
}
