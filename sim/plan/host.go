package plan

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// room is how many GPUs of a demand a machine can carry now.
type room struct{ machine, n, free int32 }

// roomOf is how many more GPUs of a demand a machine's CPU and memory can carry.
func (p *Placer) roomOf(v *sim.View, m int, d *Demand) int {
	if !d.hosted() {
		return math.MaxInt
	}
	t, n := v.Topology(), int64(math.MaxInt64)
	cpu, mem := v.HostUsed(m)
	if c := t.CPUMilli(m); c > 0 && d.CPUMilli > 0 {
		n = min(n, (c-cpu-p.cpu[m])/int64(d.CPUMilli))
	}
	if c := t.MemMiB(m); c > 0 && d.MemMiB > 0 {
		n = min(n, (c-mem-p.mem[m])/int64(d.MemMiB))
	}
	return int(max(0, n))
}

// within reports whether a machine carries the CPU and memory that are planned on it, as far as the
// demand asks for them.
func (p *Placer) within(v *sim.View, m int, d *Demand) bool {
	if !d.hosted() {
		return true
	}
	t := v.Topology()
	cpu, mem := v.HostUsed(m)
	return (t.CPUMilli(m) == 0 || d.CPUMilli == 0 || cpu+p.cpu[m] <= t.CPUMilli(m)) &&
		(t.MemMiB(m) == 0 || d.MemMiB == 0 || mem+p.mem[m] <= t.MemMiB(m))
}

// hostAt appends the choice that whole GPUs alone would have, if its hosts have room.
func (p *Placer) hostAt(v *sim.View, f *cluster.Free, d *Demand) bool {
	n := len(p.arena)
	if p.finest(f, int(d.GPUs)) && p.carry(v, p.arena[n:], d) {
		return true
	}
	p.arena = p.arena[:n]
	return false
}

// carry reports whether the hosts of an allocation (ascending) have room for it.
func (p *Placer) carry(v *sim.View, gpus []cluster.GPU, d *Demand) bool {
	t := v.Topology()
	for i := 0; i < len(gpus); {
		m, n := t.Machine(gpus[i]), 0
		for ; i < len(gpus) && t.Machine(gpus[i]) == m; i++ {
			n++
		}
		if p.roomOf(v, m, d) < n {
			return false
		}
	}
	return true
}

// hostScan looks at every machine: the machine that the demand fits best, with best-fit first among
// machines of which one slot holds it, else the rack that fits best, else any machines, with most
// room first; of equals on the fastest type.
func (p *Placer) hostScan(v *sim.View, f *cluster.Free, d *Demand) bool {
	t, g, from := v.Topology(), int(d.GPUs), len(p.arena)
	if f.Total() < g {
		return false
	}
	p.spaces = p.spaces[:0]
	total, bestRack, rackLeft, rackRank, rank := 0, -1, math.MaxInt, 0, 0
	rackAt, rackEnd := 0, 0
	var best room
	one := false // a slot of the best machine holds the demand
	for r := range t.Racks() {
		lo, hi := t.RackMachines(r)
		first, sum := len(p.spaces), 0
		for m := lo; m < hi; m++ {
			free := f.InMachine(m)
			n := min(free, p.roomOf(v, m, d))
			if n < 1 {
				continue
			}
			sum += n
			x := room{machine: int32(m), n: int32(n), free: int32(free)}
			p.spaces = append(p.spaces, x)
			if n < g {
				continue
			}
			in, r := p.rule == cluster.BestFit && inSlot(f, m, g), p.rank(t, m)
			if best.n == 0 || p.rule == cluster.BestFit && (in && !one || in == one &&
				(x.free < best.free || x.free == best.free && r < rank)) {
				best, one, rank = x, in, r
			}
		}
		total += sum
		if of := p.rank(t, lo); sum >= g && (bestRack < 0 || p.rule == cluster.BestFit &&
			(sum < rackLeft || sum == rackLeft && of < rackRank)) {
			bestRack, rackLeft, rackRank, rackAt, rackEnd = r, sum, of, first, len(p.spaces)
		}
	}
	switch {
	case best.n > 0:
		p.arena = f.FromMachine(p.arena, int(best.machine), g, p.rule)
	case total < g:
		return false
	case bestRack >= 0:
		p.gather(f, p.spaces[rackAt:rackEnd], g)
	default:
		p.gather(f, p.spaces, g)
	}
	p.sorted(from)
	return true
}

// inSlot reports whether a slot of a machine has g free GPUs.
func inSlot(f *cluster.Free, m, g int) bool {
	for lo, hi := f.Topology().MachineSlots(m); lo < hi; lo++ {
		if f.InSlot(lo) >= g {
			return true
		}
	}
	return false
}

// gather appends g GPUs from machines with room: with best-fit machines with most room first, of
// equals the fastest type's.
func (p *Placer) gather(f *cluster.Free, spaces []room, g int) {
	if p.rule == cluster.BestFit {
		slices.SortFunc(spaces, func(a, b room) int {
			if c := cmp.Compare(b.n, a.n); c != 0 {
				return c
			}
			t := f.Topology()
			return cmp.Or(cmp.Compare(p.rank(t, int(a.machine)), p.rank(t, int(b.machine))),
				cmp.Compare(a.machine, b.machine))
		})
	}
	for _, x := range spaces {
		k := min(g, int(x.n))
		if p.arena = f.FromMachine(p.arena, int(x.machine), k, p.rule); k == g {
			break
		}
		g -= k
	}
}
