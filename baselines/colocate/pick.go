package colocate

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Cost is what a GPU costs a job, and what decides among GPUs of one cost; ok is false where it may
// not have it. Less is better, then the lower GPU.
type Cost func(g cluster.GPU) (cost, tie float64, ok bool)

// item is a GPU that a job may have.
type item struct {
	gpu       cluster.GPU
	machine   int32
	cost, tie float64
}

func order(a, b item) int {
	return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.tie, b.tie), cmp.Compare(a.gpu, b.gpu))
}

// Idle chooses idle GPUs, of a type ("" = any), at the finest level that has enough, as
// plan.Placer does. usable may be nil; else it states which may be taken. The slice, ascending, is
// valid until the next Begin.
func (b *Board) Idle(v *sim.View, d *plan.Demand, typ string, usable func(g cluster.GPU) bool) ([]cluster.GPU, bool) {
	f, n := v.Free().Of(typ), int(d.GPUs)
	if f == nil || n > f.Total() {
		return nil, false
	}
	from := len(b.arena)
	for l := cluster.LevelSlot; l <= cluster.LevelCluster; l++ {
		if f.Largest(l) >= n {
			b.arena, _ = f.At(b.arena, n, l, b.rule)
			break
		}
	}
	got := b.arena[from:len(b.arena):len(b.arena)]
	bad := func(g cluster.GPU) bool { return usable != nil && !usable(g) }
	if !slices.ContainsFunc(got, bad) && b.carried(v, got, d) {
		return got, true
	}
	b.arena = b.arena[:from]
	return b.Pick(v, d, typ, func(g cluster.GPU) (float64, float64, bool) { return 0, 0, v.Free().Has(g) && !bad(g) })
}

// Pick chooses open GPUs of a type ("" = any) by cost: on one machine if one has enough, else in
// one rack, else anywhere. Of several machines (or racks) it takes that whose GPUs cost least
// together, the first of equals. The slice, ascending, is valid until the next Begin.
func (b *Board) Pick(v *sim.View, d *plan.Demand, typ string, cost Cost) ([]cluster.GPU, bool) {
	t := v.Topology()
	b.items, b.best = b.items[:0], b.best[:0]
	for m := range t.Machines() {
		if typ != "" && len(t.Types()) > 1 && t.Type(m) != typ {
			continue
		}
		from := len(b.items)
		lo, hi := t.MachineGPUs(m)
		for g := lo; g < hi; g++ {
			b.consider(v, g, m, cost)
		}
		b.machine(v, m, d, from)
	}
	return b.cheapest(v, int(d.GPUs))
}

// PickAmong is Pick among some GPUs, ascending; the others are as if cost refused them.
func (b *Board) PickAmong(v *sim.View, d *plan.Demand, typ string, among []cluster.GPU,
	cost Cost) ([]cluster.GPU, bool) {
	t := v.Topology()
	b.items, b.best = b.items[:0], b.best[:0]
	for i := 0; i < len(among) && len(among) >= int(d.GPUs); {
		m, from := t.Machine(among[i]), len(b.items)
		for _, hi := t.MachineGPUs(m); i < len(among) && among[i] < hi; i++ {
			if typ == "" || len(t.Types()) == 1 || t.Type(m) == typ {
				b.consider(v, among[i], m, cost)
			}
		}
		b.machine(v, m, d, from)
	}
	return b.cheapest(v, int(d.GPUs))
}

// consider lists a GPU of a machine if it is open and cost allows it.
func (b *Board) consider(v *sim.View, g cluster.GPU, m int, cost Cost) {
	if !b.Open(v, g) {
		return
	}
	if c, tie, ok := cost(g); ok {
		b.items = append(b.items, item{g, int32(m), c, tie})
	}
}

// machine keeps of a machine's GPUs, listed from a place on, as many as its host carries, and
// compares the cheapest with the best so far.
func (b *Board) machine(v *sim.View, m int, d *plan.Demand, from int) {
	own := b.items[from:]
	if room := b.room(v, m, d); room < len(own) {
		slices.SortFunc(own, order)
		b.items = b.items[:from+room]
		own = b.items[from:]
	}
	b.offer(own, int(d.GPUs))
}

// cheapest gives the best n of the listed GPUs: on a machine, else in a rack, else anywhere.
func (b *Board) cheapest(v *sim.View, n int) ([]cluster.GPU, bool) {
	t := v.Topology()
	if len(b.items) < n {
		return nil, false
	}
	wide := len(b.best) == 0 && t.Racks() > 1
	for i := 0; wide && i < len(b.items); {
		r, from := t.Rack(int(b.items[i].machine)), i
		for ; i < len(b.items) && t.Rack(int(b.items[i].machine)) == r; i++ {
		}
		b.offer(b.items[from:i], n)
	}
	if len(b.best) == 0 {
		b.offer(b.items, n)
	}
	from := len(b.arena)
	for _, x := range b.best {
		b.arena = append(b.arena, x.gpu)
	}
	got := b.arena[from:len(b.arena):len(b.arena)]
	slices.Sort(got)
	return got, true
}

// offer compares the n cheapest GPUs of a unit with the best so far. It puts the unit's GPUs in
// another order.
func (b *Board) offer(unit []item, n int) {
	if len(unit) < n {
		return
	}
	slices.SortFunc(unit, order)
	if len(b.best) > 0 {
		c, tie := total(unit[:n])
		bc, bt := total(b.best)
		if c > bc || c == bc && tie >= bt {
			return
		}
	}
	b.best = append(b.best[:0], unit[:n]...)
}

func total(of []item) (cost, tie float64) {
	for i := range of {
		cost += of[i].cost
		tie += of[i].tie
	}
	return cost, tie
}
