package mig

import (
	"math/bits"
	"strings"
)

// Set is a set of placements of a device: bit p is placement p.
type Set uint32

// With gives the set with placement p.
func (s Set) With(p int) Set { return s | 1<<p }

// Has reports whether placement p is in the set.
func (s Set) Has(p int) bool { return s>>p&1 != 0 }

// Len is how many placements the set has.
func (s Set) Len() int { return bits.OnesCount32(uint32(s)) }

// Next gives the first placement of the set from p on, -1 if there is none.
func (s Set) Next(p int) int {
	if s >>= p; s == 0 {
		return -1
	}
	return p + bits.TrailingZeros32(uint32(s))
}

// List names the placements of a set, ascending, such as "2g.10gb at 0:2, 3g.20gb at 4:4".
func (d *Device) List(s Set) string {
	var names []string
	for p := s.Next(0); p >= 0; p = s.Next(p + 1) {
		names = append(names, d.String(p))
	}
	return strings.Join(names, ", ")
}

// slices are the memory slices of placement p as a mask.
func (d *Device) slices(p int) uint8 {
	return uint8(1<<d.Of(p).Memory-1) << d.Placements[p].Start
}

// used gives the memory slices of a set as a mask and its compute slices; legal is false where a
// memory slice belongs to two.
func (d *Device) used(s Set) (mem uint8, compute int, legal bool) {
	for p := s.Next(0); p >= 0; p = s.Next(p + 1) {
		m := d.slices(p)
		if mem&m != 0 {
			return mem, compute, false
		}
		mem |= m
		compute += d.Of(p).Compute
	}
	return mem, compute, true
}

// Legal reports whether the placements of a set may exist beside one another. The empty set is
// legal.
func (d *Device) Legal(s Set) bool {
	_, c, ok := d.used(s)
	return ok && c <= ComputeSlices
}

// Fits reports whether placement p may be made beside the placements of a legal set; false for one
// that is in it.
func (d *Device) Fits(s Set, p int) bool {
	return !s.Has(p) && d.Legal(s.With(p))
}

// Full reports whether no placement fits beside the placements of a legal set.
func (d *Device) Full(s Set) bool {
	for p := range d.Placements {
		if d.Fits(s, p) {
			return false
		}
	}
	return true
}
