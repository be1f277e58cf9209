package network

import (
	"errors"
	"fmt"
	"math"
)

// MaxPaths bounds the paths between two racks: a set of them is a word of 64 bits.
const MaxPaths = 64

// Spines is the network between racks as a folded Clos; the zero value is a tree, in which each rack
// has one uplink.
//
// A leaf-spine has Count spines, each linked to every rack. In a fat tree racks form pods of PodRacks
// racks: each rack is linked to the Count switches of its pod, each of which has Cores links to the
// core; a path within a pod is one of its switches, a path between pods one of the Count x Cores
// pairs of a switch and a link. With Rails a rack has a switch for each of its machines' ports: the
// traffic of a job is divided evenly between them, and each part takes a path of its own.
//
// Widths are in uplinks of a machine: a link with the bandwidth of the level's Link carries what one
// machine sends, whatever its number of GPUs, and a job sends as much for each of its machines in a
// rack. So a rack of M machines is oversubscribed M x Link.GBps : Count x GBps.
//
// A link serves both directions as one.
type Spines struct {
	// Count is the number of spines, or of switches in a pod; 0 = a tree.
	Count int
	// PodRacks is the number of racks in a pod of a fat tree; 0 = a leaf-spine.
	PodRacks int
	// Cores is the number of links from a switch of a pod to the core; >= 1 in a fat tree, else 0.
	Cores int
	// Rails is the number of ports of a machine that have switches of their own; 0 = 1.
	Rails int
	// GBps is the bandwidth of a link between a rack and a spine, of all rails together, in the unit
	// of the level's Link: what each GPU of one machine has that is alone on it; 0 = the Link's own.
	GBps float64
	// CoreGBps is the same of a link to the core.
	CoreGBps float64
	// Seed varies which path a job takes by itself.
	Seed uint64
}

// Over gives the oversubscription of a rack of so many machines, which have gbps each: what they send
// at most over what the links to the spines carry; 0 in a tree.
func (s *Spines) Over(machines int, gbps float64) float64 {
	if s.Count == 0 {
		return 0
	}
	wide := s.GBps
	if wide == 0 {
		wide = gbps
	}
	return float64(machines) * gbps / (float64(s.Count) * wide)
}

// Paths is the number of paths between two racks, of different pods in a fat tree; 0 in a tree.
func (s *Spines) Paths() int {
	return s.Count * max(1, s.Cores)
}

func (s *Spines) validate() error {
	if *s == (Spines{}) {
		return nil
	}
	var errs []error
	bad := func(field string, v any, want string) {
		errs = append(errs, fmt.Errorf("fabric: spines: %s is %v, expected %s", field, v, want))
	}
	if s.Count < 1 || s.Count > MaxPaths {
		bad("count", s.Count, fmt.Sprintf("1..%d", MaxPaths))
	}
	switch {
	case s.PodRacks < 0:
		bad("pod racks", s.PodRacks, "a number >= 0")
	case s.PodRacks == 0 && s.Cores != 0:
		bad("cores", s.Cores, "0 without pods")
	case s.PodRacks > 0 && s.Cores < 1:
		bad("cores", s.Cores, "a number >= 1 with pods")
	case s.Count >= 1 && s.Count <= MaxPaths && s.Cores > MaxPaths/s.Count:
		bad("count x cores", s.Count*s.Cores, fmt.Sprintf("at most %d", MaxPaths))
	}
	if s.Rails < 0 || s.Rails > MaxPaths {
		bad("rails", s.Rails, fmt.Sprintf("0..%d", MaxPaths))
	}
	for _, v := range [...]struct {
		field string
		gbps  float64
	}{{"GB/s", s.GBps}, {"core GB/s", s.CoreGBps}} {
		if !(v.gbps >= 0) || math.IsInf(v.gbps, 0) {
			bad(v.field, v.gbps, "a number >= 0")
		}
	}
	return errors.Join(errs...)
}
