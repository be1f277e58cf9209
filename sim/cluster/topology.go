package cluster

import (
	"strings"

	"tarry/sim/mig"
)

// Topology is an immutable tree of racks, machines, slots and GPUs.
// The zero value is useless; build one with New.
type Topology struct {
	machineOf []int32 // GPU -> machine
	rackOf    []int32 // machine -> rack
	first     []GPU   // machine -> first GPU; one more entry at the end
	rackFirst []int32 // rack -> first machine; one more entry at the end
	slotFirst []int32 // machine -> first slot; one more entry at the end
	slotSize  []int32 // machine -> GPUs per slot
	slotMach  []int32 // slot -> machine
	slotOf    []int32 // GPU -> slot
	typeOf    []int32 // machine -> index into types
	types     []string
	names     []string      // machine; nil where they have none
	fastest   []int         // types, fastest first
	typeGPUs  []int         // type -> GPUs
	cpuMilli  []int64       // machine
	memMiB    []int64       // machine
	migs      []*mig.Device // machine; nil where no machine has one
	devices   []*mig.Device // those among migs, each once
	gpuMiB    []int64       // machine; nil where no machine states it
	maxSlot   int
	maxMach   int
	maxRack   int
	maxInRack int // machines in the largest rack
}

// New builds the tree of a valid spec.
func New(s Spec) (*Topology, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	t := &Topology{names: s.Names}
	typeIx := map[string]int32{}
	for _, rack := range s.Racks {
		t.rackFirst = append(t.rackFirst, int32(len(t.first)))
		inRack := 0
		for _, m := range rack {
			ty, ok := typeIx[strings.ToLower(m.Type)]
			if !ok {
				ty = int32(len(t.types))
				typeIx[strings.ToLower(m.Type)] = ty
				t.types = append(t.types, m.Type)
				t.typeGPUs = append(t.typeGPUs, 0)
			}
			for range m.Count {
				t.addMachine(m, ty, int32(len(t.rackFirst)-1))
			}
			inRack += m.Count * m.GPUs
		}
		t.maxRack = max(t.maxRack, inRack)
		t.maxInRack = max(t.maxInRack, len(t.rackOf)-int(t.rackFirst[len(t.rackFirst)-1]))
	}
	t.first = append(t.first, GPU(len(t.machineOf)))
	t.rackFirst = append(t.rackFirst, int32(len(t.rackOf)))
	last := 0
	if n := len(t.rackOf); n > 0 {
		last = int(t.slotFirst[n-1]) + t.slotsIn(n-1)
	}
	t.slotFirst = append(t.slotFirst, int32(last))
	t.fastest = s.fastest(t.types)
	return t, nil
}

func (t *Topology) addMachine(m Machines, ty, rack int32) {
	id := len(t.rackOf)
	t.first = append(t.first, GPU(len(t.machineOf)))
	size := m.GPUs / max(m.Slots, 1)
	slot := int32(0)
	if id > 0 {
		slot = t.slotFirst[id-1] + int32(t.slotsIn(id-1))
	}
	t.slotFirst = append(t.slotFirst, slot)
	t.slotSize = append(t.slotSize, int32(size))
	for range m.GPUs / size {
		t.slotMach = append(t.slotMach, int32(id))
	}
	for i := range m.GPUs {
		t.machineOf = append(t.machineOf, int32(id))
		t.slotOf = append(t.slotOf, slot+int32(i/size))
	}
	t.rackOf = append(t.rackOf, rack)
	t.typeOf = append(t.typeOf, ty)
	t.typeGPUs[ty] += m.GPUs
	t.cpuMilli = append(t.cpuMilli, m.CPUMilli)
	t.memMiB = append(t.memMiB, m.MemMiB)
	t.addMIG(id, m.MIG)
	if m.GPUMiB > 0 && t.gpuMiB == nil {
		t.gpuMiB = make([]int64, id)
	}
	if t.gpuMiB != nil {
		t.gpuMiB = append(t.gpuMiB, m.GPUMiB)
	}
	t.maxSlot = max(t.maxSlot, size)
	t.maxMach = max(t.maxMach, m.GPUs)
}

// addMIG notes the device of a machine; machines of one device share its tables.
func (t *Topology) addMIG(id int, name string) {
	if name == "" && t.migs == nil {
		return
	}
	for len(t.migs) < id {
		t.migs = append(t.migs, nil)
	}
	t.migs = append(t.migs, t.device(name))
}

// device gives the device of a name, the same one each time; nil for none.
func (t *Topology) device(name string) *mig.Device {
	if name == "" {
		return nil
	}
	for _, d := range t.devices {
		if d.Name == name {
			return d
		}
	}
	d, _ := mig.Named(name) // the spec is valid
	t.devices = append(t.devices, d)
	return d
}

func (t *Topology) slotsIn(m int) int {
	end := GPU(len(t.machineOf))
	if m+1 < len(t.first) {
		end = t.first[m+1]
	}
	return int(end-t.first[m]) / int(t.slotSize[m])
}

// GPUs is the number of GPUs in the cluster.
func (t *Topology) GPUs() int { return len(t.machineOf) }

// Machines is the number of machines.
func (t *Topology) Machines() int { return len(t.rackOf) }

// Racks is the number of racks.
func (t *Topology) Racks() int { return len(t.rackFirst) - 1 }

// Slots is the number of slots in the cluster.
func (t *Topology) Slots() int { return int(t.slotFirst[len(t.rackOf)]) }

// Types lists the GPU types in order of first appearance, each as it was spelled there: names meet
// without case.
func (t *Topology) Types() []string { return t.types }

// Fastest lists the types as indices into Types, the fastest first by Spec.Speeds, equals by name:
// so the order in which a cluster names its types does not count. It must not be changed.
func (t *Topology) Fastest() []int { return t.fastest }

// TypeOf is the type of a machine as an index into Types.
func (t *Topology) TypeOf(machine int) int { return int(t.typeOf[machine]) }

// Machine gives the machine of a GPU.
func (t *Topology) Machine(g GPU) int { return int(t.machineOf[g]) }

// Rack gives the rack of a machine.
func (t *Topology) Rack(machine int) int { return int(t.rackOf[machine]) }

// Slot gives the slot of a GPU, numbered through the cluster.
func (t *Topology) Slot(g GPU) int { return int(t.slotOf[g]) }

// MachineGPUs gives a machine's GPUs as the half-open range [lo, hi).
func (t *Topology) MachineGPUs(machine int) (lo, hi GPU) { return t.first[machine], t.first[machine+1] }

// RackMachines gives a rack's machines as the half-open range [lo, hi).
func (t *Topology) RackMachines(rack int) (lo, hi int) {
	return int(t.rackFirst[rack]), int(t.rackFirst[rack+1])
}

// MachineSlots gives a machine's slots as the half-open range [lo, hi).
func (t *Topology) MachineSlots(machine int) (lo, hi int) {
	return int(t.slotFirst[machine]), int(t.slotFirst[machine+1])
}

// SlotSize is the number of GPUs in each slot of a machine.
func (t *Topology) SlotSize(machine int) int { return int(t.slotSize[machine]) }

// Name is the name of a machine, "" where it has none.
func (t *Topology) Name(m int) string {
	if m >= len(t.names) {
		return ""
	}
	return t.names[m]
}

// Type gives the GPU type of a machine.
func (t *Topology) Type(machine int) string { return t.types[t.typeOf[machine]] }

// CPUMilli is a machine's CPU in thousandths of a core; 0 = not constrained.
func (t *Topology) CPUMilli(machine int) int64 { return t.cpuMilli[machine] }

// MemMiB is a machine's memory; 0 = not constrained.
func (t *Topology) MemMiB(machine int) int64 { return t.memMiB[machine] }

// MIG gives the device of a machine's GPUs, whose placements the knob Instance numbers; nil = they
// cannot be cut. It must not be changed.
func (t *Topology) MIG(machine int) *mig.Device {
	if t.migs == nil {
		return nil
	}
	return t.migs[machine]
}

// GPUMiB is the memory of each GPU of a machine; 0 = not constrained.
func (t *Topology) GPUMiB(machine int) int64 {
	if t.gpuMiB == nil {
		return 0
	}
	return t.gpuMiB[machine]
}

// StatesGPUMiB reports whether any machine states the memory of its GPUs.
func (t *Topology) StatesGPUMiB() bool { return t.gpuMiB != nil }

// Cuts reports whether any machine's GPUs can be cut into instances.
func (t *Topology) Cuts() bool { return t.migs != nil }

// Capacity is the largest number of GPUs in one unit of a level: the largest slot,
// machine, rack, or the cluster.
func (t *Topology) Capacity(l Level) int {
	switch l {
	case LevelGPU:
		return 1
	case LevelSlot:
		return t.maxSlot
	case LevelMachine:
		return t.maxMach
	case LevelRack:
		return t.maxRack
	}
	return t.GPUs()
}

// LevelOf is the finest level whose one unit holds all of gpus (ascending): units are runs of GPUs, so
// it holds all if it holds the first and the last.
func (t *Topology) LevelOf(gpus []GPU) Level {
	if len(gpus) <= 1 {
		return LevelGPU
	}
	a, b := gpus[0], gpus[len(gpus)-1]
	if t.slotOf[a] == t.slotOf[b] {
		return LevelSlot
	}
	switch ma, mb := t.machineOf[a], t.machineOf[b]; {
	case ma == mb:
		return LevelMachine
	case t.rackOf[ma] == t.rackOf[mb]:
		return LevelRack
	}
	return LevelCluster
}
