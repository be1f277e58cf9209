package network

// Layout counts the units that an allocation uses. Totals are over the whole
// allocation; the smallest and largest groups show how uneven it is.
type Layout struct {
	// GPUs, Slots, Machines and Racks are totals; >= 1.
	GPUs, Slots, Machines, Racks int
	// SlotMin and SlotMax are the GPUs in its smallest and largest slot.
	SlotMin, SlotMax int
	// MachineMin and MachineMax are the slots in one machine.
	MachineMin, MachineMax int
	// RackMin and RackMax are the machines in one rack.
	RackMin, RackMax int
}

// Even is the layout of racks x machines x slots x GPUs with equal groups everywhere.
func Even(racks, machines, slots, gpus int) Layout {
	return Layout{
		GPUs: racks * machines * slots * gpus, Slots: racks * machines * slots, Machines: racks * machines,
		Racks:   racks,
		SlotMin: gpus, SlotMax: gpus, MachineMin: slots, MachineMax: slots, RackMin: machines, RackMax: machines,
	}
}

// Dim is one dimension of a collective.
type Dim struct {
	Link
	// Level states whose links these are.
	Level Level
	// Units take part; >= 2 (a dimension of one unit costs nothing).
	Units int
	// Shrink divides the bytes that the next dimension carries in the hierarchical scheme; >= 1.
	Shrink int
}

// Dims appends to dst the dimensions that an allocation uses, from the inside out.
// An allocation of one GPU has none.
func (f *Fabric) Dims(dst []Dim, l Layout) []Dim {
	n := l.nested()
	least := [Levels]int{l.SlotMin, l.MachineMin, l.RackMin, l.Racks}
	if f.Convention == ASTRA1 {
		n = l.Counted()
		least = n
	}
	for i, units := range n {
		if units > 1 {
			dst = append(dst, Dim{Link: f.Links[i], Level: Level(i), Units: units, Shrink: max(least[i], 1)})
		}
	}
	return dst
}

func (l Layout) nested() [Levels]int {
	return [Levels]int{l.SlotMax, l.MachineMax, l.RackMax, l.Racks}
}

// Counted gives the units per level as the Dally paper's simulator counts them, 0 where a level is
// not used: each level divides what is left of the GPUs by the number of racks, machines and slots
// of the *whole* allocation; where they do not divide, or one GPU is left per unit, what is left
// forms one flat ring or switch at that level. (So 16 GPUs on two full machines of 2x4 are rings of
// 2, 4 slots and 2 machines.)
func (l Layout) Counted() [Levels]int {
	var n [Levels]int
	left := l.GPUs
	if l.Racks > 1 {
		if left%l.Racks != 0 {
			n[AcrossRack] = left
			return n
		}
		n[AcrossRack] = l.Racks
		left /= l.Racks
	}
	if l.Machines > 1 {
		if left%l.Machines != 0 || left == l.Machines {
			n[InRack] = left
			return n
		}
		n[InRack] = l.Machines
		left /= l.Machines
	}
	if left%l.Slots != 0 || left == l.Slots {
		n[InMachine] = left
		return n
	}
	if l.Slots > 1 {
		n[InMachine] = l.Slots
	}
	n[InSlot] = left / l.Slots
	return n
}
