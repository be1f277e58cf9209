package sim

// Outage is one failure or repair of a unit.
type Outage struct {
	At Time
	// Machine is the machine; GPU the index of a GPU inside it, or -1 for the whole machine.
	Machine, GPU int32
	// Up is true for a repair.
	Up bool
}

// Outages is a source of failures and repairs in time order; it is pulled one by one, so it
// may be endless. A run without jobs left does not pull it further.
type Outages interface {
	// Next gives the next outage, false when there is none.
	Next() (Outage, bool)
	// Clone gives an independent source at the same point, for snapshots.
	Clone() Outages
}
