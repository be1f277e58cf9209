package cluster

// OfType is the number of GPUs that a job asking for a type may use; 0 when the cluster has no such
// type. Type "" is every GPU, and so is any type on a cluster that names none.
func (t *Topology) OfType(typ string) int {
	if typ == "" || len(t.types) == 1 && t.types[0] == "" {
		return t.GPUs()
	}
	for i, name := range t.types {
		if name == typ {
			return t.typeGPUs[i]
		}
	}
	return 0
}

// Finest is the finest level, from or coarser, of which one unit can hold g GPUs of a type
// ("" = any) when nothing else runs; false when not even the cluster can. It counts
// through the machines: ask once per kind of job, not once per event.
func (t *Topology) Finest(from Level, g int, typ string) (Level, bool) {
	any := typ == "" || len(t.types) == 1 && t.types[0] == ""
	slot, mach, rack, all := 0, 0, 0, 0
	for r := range t.Racks() {
		inRack := 0
		lo, hi := t.RackMachines(r)
		for m := lo; m < hi; m++ {
			if !any && t.Type(m) != typ {
				continue
			}
			n := int(t.first[m+1] - t.first[m])
			slot, mach = max(slot, t.SlotSize(m)), max(mach, n)
			inRack += n
		}
		rack = max(rack, inRack)
		all += inRack
	}
	for _, u := range [...]struct {
		level Level
		size  int
	}{{LevelGPU, 1}, {LevelSlot, slot}, {LevelMachine, mach}, {LevelRack, rack}, {LevelCluster, all}} {
		if u.level >= from && u.size >= g && all > 0 {
			return u.level, true
		}
	}
	return LevelCluster, false
}
