package network

import (
	"errors"
	"fmt"
	"math"
)

// Kind is how the units of a dimension are wired.
type Kind uint8

// The kinds. The zero value is a ring.
const (
	KindRing   Kind = iota // each unit has a full-duplex link to two neighbours; one hop
	KindSwitch             // each unit has one full-duplex link to a switch; two hops
	KindFull               // each unit has a link to every other; one hop
)

// String is ring, switch or full.
func (k Kind) String() string { return name(int(k), "ring", "switch", "full") }

// Algorithm is how an all-reduce runs inside one dimension.
type Algorithm uint8

// The algorithms. The zero value is the ring.
const (
	AlgRing Algorithm = iota
	AlgHalvingDoubling
	AlgDirect
	AlgTree
)

// String is ring, halving-doubling, direct or tree.
func (a Algorithm) String() string {
	return name(int(a), "ring", "halving-doubling", "direct", "tree")
}

// Convention is what a bandwidth figure means and how uneven allocations count.
type Convention uint8

const (
	// PerLink is physical: GB/s (10^9 bytes) that one GPU has into the dimension, one way.
	// Uneven allocations: the largest group of a level sets its number of steps, the
	// smallest sets how far the pieces shrink for the next level, since all groups
	// must be done before the next level starts.
	PerLink Convention = iota
	// ASTRA1 multiplies a bandwidth of GiB/s by the dimension's links: n on a switch, n rounded up
	// to even and at least 4 on a ring, n/(n-1) when fully connected; phases last whole
	// nanoseconds. Its units are counted over the whole allocation, and when GPUs do not divide
	// evenly at a level, all of them form one flat ring or switch there (see Layout).
	ASTRA1
)

// String is per-link or astra1.
func (c Convention) String() string { return name(int(c), "per-link", "astra1") }

// Scheme is how an all-reduce crosses several dimensions.
type Scheme uint8

const (
	// Baseline runs a whole all-reduce in each dimension, from the inside out.
	Baseline Scheme = iota
	// Hierarchical reduce-scatters upwards and all-gathers downwards.
	Hierarchical
)

// String is baseline or hierarchical.
func (s Scheme) String() string { return name(int(s), "baseline", "hierarchical") }

func name(i int, names ...string) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("invalid(%d)", i)
}

// Level is where in the tree a dimension's links are, from the inside out.
type Level uint8

// The levels of links.
const (
	InSlot     Level = iota // between the GPUs of a slot
	InMachine               // between the slots of a machine
	InRack                  // between the machines of a rack: machine uplinks
	AcrossRack              // between racks: rack uplinks
	Levels                  // the number of levels
)

// String is slot, machine, rack or network.
func (l Level) String() string { return name(int(l), "slot", "machine", "rack", "network") }

// Link describes the links of one level.
type Link struct {
	// Kind is the wiring, Algorithm what runs on it.
	Kind      Kind
	Algorithm Algorithm
	// GBps is the bandwidth in the fabric's convention; > 0.
	GBps float64
	// LatencyNS is per hop; >= 0.
	LatencyNS float64
}

// Fabric is the network of a cluster and how collectives use it.
type Fabric struct {
	// Links holds one Link per Level.
	Links [Levels]Link
	// Convention states what the bandwidths mean; zero is per-link.
	Convention Convention
	// Scheme states how dimensions combine; zero is baseline.
	Scheme Scheme
	// EndpointNS is paid at the endpoint for each message; >= 0. Under ASTRA1 once more per phase.
	EndpointNS float64
	// Schedule is how an iteration overlaps communication with compute.
	Schedule Schedule
	// Spines are the paths between racks, for speed models in which jobs share links; zero is a tree.
	Spines Spines
	// Domains: racks are domains of NVLink, in which each GPU has a port of its own into the switches,
	// and a port of its own out of the rack, so that jobs share no uplink of a machine.
	Domains bool
}

// Validate reports every fault.
func (f *Fabric) Validate() error {
	var errs []error
	bad := func(field string, v any, want string) {
		errs = append(errs, fmt.Errorf("fabric: %s is %v, expected %s", field, v, want))
	}
	for i, l := range f.Links {
		at := Level(i).String() + " links: "
		if l.Kind > KindFull {
			bad(at+"kind", l.Kind, "ring, switch or full")
		}
		if l.Algorithm > AlgTree {
			bad(at+"algorithm", l.Algorithm, "ring, halving-doubling, direct or tree")
		}
		if !(l.GBps > 0) || math.IsInf(l.GBps, 0) {
			bad(at+"GB/s", l.GBps, "a number > 0")
		}
		if !(l.LatencyNS >= 0) || math.IsInf(l.LatencyNS, 0) {
			bad(at+"latency", l.LatencyNS, "nanoseconds >= 0")
		}
	}
	if f.Convention > ASTRA1 {
		bad("convention", f.Convention, "per-link or astra1")
	}
	if f.Scheme > Hierarchical {
		bad("scheme", f.Scheme, "baseline or hierarchical")
	}
	if !(f.EndpointNS >= 0) || math.IsInf(f.EndpointNS, 0) {
		bad("endpoint delay", f.EndpointNS, "nanoseconds >= 0")
	}
	errs = append(errs, f.Spines.validate())
	errs = append(errs, f.Schedule.validate()...)
	return errors.Join(errs...)
}
