package plan

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// Consolidate chooses GPUs as clusters do that insist on consolidation, and takes them: a job that
// one machine can hold goes to the fullest machine with room for it, a larger one gets wholly free
// machines, the largest first and no more than it needs on an empty cluster; the faster type, then
// the lowest index decides among equals. It reports false when there are no such machines, however
// many GPUs are free elsewhere. Where there is one type and the demand asks for no CPU and memory, an
// index has the machines; else it looks at each.
func (p *Placer) Consolidate(v *sim.View, d *Demand) ([]cluster.GPU, bool) {
	return p.consolidate(v, d, false)
}

// Lowest is Consolidate, but a job that one machine can hold goes to the lowest with room for it.
func (p *Placer) Lowest(v *sim.View, d *Demand) ([]cluster.GPU, bool) {
	return p.consolidate(v, d, true)
}

func (p *Placer) consolidate(v *sim.View, d *Demand, lowest bool) ([]cluster.GPU, bool) {
	f := v.Free().Of(d.Type)
	switch {
	case f == nil || f.Total() < int(d.GPUs) && d.ShareMilli == 1000:
		return nil, false
	case d.ShareMilli < 1000: // a share lies on one GPU
		return p.Place(v, d)
	}
	n := len(p.arena)
	if !p.oneMachine(v, f, d, lowest) && !p.wholes(v, f, d) {
		p.arena = p.arena[:n]
		return nil, false
	}
	p.sorted(n)
	gpus := p.arena[n:len(p.arena):len(p.arena)]
	for _, g := range gpus {
		p.book(v, g, d.ShareMilli, d)
	}
	return gpus, true
}

// plain reports whether machines differ for a demand by their free GPUs alone.
func plain(t *cluster.Topology, d *Demand) bool { return len(t.Types()) == 1 && !d.hosted() }

// oneMachine appends GPUs of the machine with the fewest free ones that has enough, or of the
// lowest that has.
func (p *Placer) oneMachine(v *sim.View, f *cluster.Free, d *Demand, lowest bool) bool {
	t := v.Topology()
	best, least, rank, g := -1, 0, 0, int(d.GPUs)
	if f.Largest(cluster.LevelMachine) < g {
		return false
	}
	if plain(t, d) {
		if best = f.Fullest(g); lowest {
			best = f.Lowest(g)
		}
		p.arena = f.FromMachine(p.arena, best, g, p.rule)
		return true
	}
	for m := range t.Machines() {
		free, r := f.InMachine(m), p.rank(t, m)
		if lowest {
			free = min(free, g)
		}
		if free >= g && (best < 0 || free < least || free == least && r < rank) && p.roomOf(v, m, d) >= g {
			best, least, rank = m, free, r
		}
	}
	if best >= 0 {
		p.arena = f.FromMachine(p.arena, best, g, p.rule)
	}
	return best >= 0
}

// wholes appends wholly free machines for a job that no machine could ever hold: machines that
// carry most of it, and no more of them than it needs on an empty cluster.
func (p *Placer) wholes(v *sim.View, f *cluster.Free, d *Demand) bool {
	t, left, used := v.Topology(), int(d.GPUs), 0
	most := p.bySize(t, d)
	if left < len(most) {
		return false
	}
	fewest, rest := 0, left
	for n := len(most) - 1; n > 0 && rest > 0; n-- {
		k := min(int(most[n]), (rest+n-1)/n)
		fewest, rest = fewest+k, rest-k*n
	}
	for n := len(most) - 1; n > 0; n-- {
		for r := range t.Types() {
			left, used = p.wholesOf(v, f, d, n, r, left, used)
			if left == 0 {
				return used <= fewest
			}
		}
	}
	return false
}

// bySize counts the machines that carry so many of a demand's GPUs, by their number.
func (p *Placer) bySize(t *cluster.Topology, d *Demand) []int32 {
	if plain(t, d) && len(p.sizes) > 0 {
		return p.sizes
	}
	p.most = p.most[:0]
	for m := range t.Machines() {
		n := t.Room(m, d.PerGPU())
		for len(p.most) <= n {
			p.most = append(p.most, 0)
		}
		p.most[n]++
	}
	if plain(t, d) {
		p.sizes = slices.Clone(p.most)
	}
	return p.most
}

// wholesOf appends machines of the r-th fastest type that are wholly free and carry n GPUs each; it
// gives how many GPUs are left to find, and how many machines were used.
func (p *Placer) wholesOf(v *sim.View, f *cluster.Free, d *Demand, n, r, left, used int) (int, int) {
	t := v.Topology()
	next := func(m int) int { return m + 1 }
	if plain(t, d) {
		next = func(m int) int { return f.With(n, m+1) }
	}
	for m := next(-1); m >= 0 && m < t.Machines() && left > 0; m = next(m) {
		lo, hi := t.MachineGPUs(m)
		if f.InMachine(m) != int(hi-lo) || p.rank(t, m) != r || t.Room(m, d.PerGPU()) != n {
			continue
		}
		if k := min(left, n); p.roomOf(v, m, d) >= k {
			p.arena = f.FromMachine(p.arena, m, k, p.rule)
			left, used = left-k, used+1
		}
	}
	return left, used
}
