package cluster

import (
	"slices"
	"strings"
)

// PerGPU is what a job asks along with each of its GPUs.
type PerGPU struct {
	// Type is the type of the GPU; "" = any. Upper and lower case are the same.
	Type string
	// CPUMilli and MemMiB are asked of the machine; 0 = nothing.
	CPUMilli, MemMiB int32
}

// hosted reports whether a machine's CPU or memory is asked for.
func (p PerGPU) hosted() bool { return p.CPUMilli > 0 || p.MemMiB > 0 }

// SameType reports whether two names are of one GPU type: names of types meet without case.
func SameType(a, b string) bool { return a == b || strings.EqualFold(a, b) }

// TypeIndex is the index in Types of the type that a job may ask for by that name, -1 where the
// cluster has none.
func (t *Topology) TypeIndex(typ string) int {
	if i := slices.Index(t.types, typ); i >= 0 {
		return i
	}
	return slices.IndexFunc(t.types, func(name string) bool { return strings.EqualFold(name, typ) })
}

// Named gives a type's name as the cluster spells it; a name that it does not have stays as it is.
func (t *Topology) Named(typ string) string {
	if typ == "" {
		return ""
	}
	if i := t.TypeIndex(typ); i >= 0 {
		return t.types[i]
	}
	return typ
}

// anyType reports whether every GPU will do: no type is asked for, or the cluster names none.
func (t *Topology) anyType(typ string) bool {
	return typ == "" || len(t.types) == 1 && t.types[0] == ""
}

// OfType is the number of GPUs that a job asking for a type may use; 0 when the cluster has no such
// type. Type "" is every GPU, and so is any type on a cluster that names none.
func (t *Topology) OfType(typ string) int {
	if t.anyType(typ) {
		return t.GPUs()
	}
	if i := t.TypeIndex(typ); i >= 0 {
		return t.typeGPUs[i]
	}
	return 0
}

// Room is the number of GPUs of a machine that can be used at once, when nothing else runs, by a
// job that asks for p with each: 0 on a machine of another type.
func (t *Topology) Room(machine int, p PerGPU) int {
	if !t.anyType(p.Type) && !SameType(t.Type(machine), p.Type) {
		return 0
	}
	n := int64(t.first[machine+1] - t.first[machine])
	if c := t.cpuMilli[machine]; c > 0 && p.CPUMilli > 0 {
		n = min(n, c/int64(p.CPUMilli))
	}
	if c := t.memMiB[machine]; c > 0 && p.MemMiB > 0 {
		n = min(n, c/int64(p.MemMiB))
	}
	return int(n)
}

// Carries is the number of GPUs, up to most, that the cluster can give at once to jobs that ask for
// p with each.
func (t *Topology) Carries(p PerGPU, most int) int {
	if !p.hosted() {
		return min(most, t.OfType(p.Type))
	}
	sum := 0
	for m := 0; m < t.Machines() && sum < most; m++ {
		sum += t.Room(m, p)
	}
	return min(sum, most)
}

// CarriesOf is Carries on GPUs of the i-th of Types alone, whatever type p names; all of them, up
// to no limit.
func (t *Topology) CarriesOf(i int, p PerGPU) int {
	if p.Type = ""; !p.hosted() {
		return t.typeGPUs[i]
	}
	sum := 0
	for m := range t.Machines() {
		if int(t.typeOf[m]) == i {
			sum += t.Room(m, p)
		}
	}
	return sum
}

// Finest is the finest level, from or coarser, of which one unit can hold g GPUs with what is asked
// along with each when nothing else runs; false when not even the cluster can. It counts through
// the machines: ask once per kind of job, not once per event.
func (t *Topology) Finest(from Level, g int, p PerGPU) (Level, bool) {
	slot, mach, rack, all := 0, 0, 0, 0
	for r := range t.Racks() {
		inRack := 0
		lo, hi := t.RackMachines(r)
		for m := lo; m < hi; m++ {
			n := t.Room(m, p)
			slot, mach = max(slot, min(n, t.SlotSize(m))), max(mach, n)
			inRack += n
		}
		rack = max(rack, inRack)
		all += inRack
	}
	for _, u := range [...]struct {
		level Level
		size  int
	}{{LevelGPU, min(1, all)}, {LevelSlot, slot}, {LevelMachine, mach}, {LevelRack, rack}, {LevelCluster, all}} {
		if u.level >= from && u.size >= g && all > 0 {
			return u.level, true
		}
	}
	return LevelCluster, false
}
