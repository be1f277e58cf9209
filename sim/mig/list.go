package mig

// Legals appends all legal sets that hold all of keep, which must be legal, the set keep itself
// included; each once, in a fixed order.
func (d *Device) Legals(dst []Set, keep Set) []Set { return d.list(dst, keep, 0) }

// list appends s and all legal sets that add placements from number from on to it.
func (d *Device) list(dst []Set, s Set, from int) []Set {
	dst = append(dst, s)
	for p := from; p < len(d.Placements); p++ {
		if d.Fits(s, p) {
			dst = d.list(dst, s.With(p), p+1)
		}
	}
	return dst
}

// Maximals appends the legal sets that hold all of keep and to which nothing can be added: the
// configurations of a GPU that wastes no slice that an instance could have.
func (d *Device) Maximals(dst []Set, keep Set) []Set {
	n := len(dst)
	dst = d.Legals(dst, keep)
	k := n
	for _, s := range dst[n:] {
		if d.Full(s) {
			dst[k] = s
			k++
		}
	}
	return dst[:k]
}
