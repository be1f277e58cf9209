package plan

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// Consolidate chooses GPUs as clusters do that insist on consolidation, and takes them: a job that one
// machine can hold goes to the fullest machine with room for it, a larger one gets wholly free
// machines, the largest first and as few as hold it; the faster type, then the lowest index decides among equals. It
// reports false when there are no such machines, however many GPUs are free elsewhere. It looks at every machine.
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

// oneMachine appends GPUs of the machine with the fewest free ones that has enough, or of the lowest that has.
func (p *Placer) oneMachine(v *sim.View, f *cluster.Free, d *Demand, lowest bool) bool {
	t := v.Topology()
	best, least, rank, g := -1, 0, 0, int(d.GPUs)
	if f.Largest(cluster.LevelMachine) < g {
		return false
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

// wholes appends wholly free machines for a job that no machine of its type could ever hold.
func (p *Placer) wholes(v *sim.View, f *cluster.Free, d *Demand) bool {
	t, left := v.Topology(), int(d.GPUs)
	largest := 0
	for m := range t.Machines() {
		largest = max(largest, t.Room(m, d.PerGPU()))
	}
	if left <= largest {
		return false
	}
	for size := largest; size > 0; size-- {
		for r := range t.Types() {
			if left = p.wholesOf(v, f, d, size, r, left); left == 0 {
				return true
			}
		}
	}
	return false
}

// wholesOf appends wholly free machines with room for a number of GPUs and of the r-th fastest type, and gives how many GPUs are left to find.
func (p *Placer) wholesOf(v *sim.View, f *cluster.Free, d *Demand, size, r, left int) int {
	t := v.Topology()
	for m := range t.Machines() {
		lo, hi := t.MachineGPUs(m)
		if left == 0 || f.InMachine(m) != int(hi-lo) || t.Room(m, d.PerGPU()) != size || p.rank(t, m) != r {
			continue
		}
		if k := min(left, size); p.roomOf(v, m, d) >= k {
			p.arena = f.FromMachine(p.arena, m, k, p.rule)
			left -= k
		}
	}
	return left
}
