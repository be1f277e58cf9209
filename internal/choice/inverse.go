package choice

import "math"

// refresh inverts the small basis anew and with it sets the values of the slots and the prices.
func (s *Solver) refresh() error {
	var b [MaxRows * MaxRows]float64 // column r is slot r
	var a [MaxRows]float64
	k := s.k
	for r := range k {
		s.column(s.slots[r], &a)
		for i := range k {
			b[i*k+r] = a[i]
		}
	}
	if !invert(b[:k*k], s.inverse[:k*k], k) {
		return errStuck
	}
	for i := range k {
		s.price[i] = 0
	}
	for r := range k {
		if c := s.slotCost(r); c != 0 {
			for i := range k {
				s.price[i] -= float64(c * s.inverse[r*k+i])
			}
		}
	}
	return s.values()
}

// slotCost is the cost of a slot's column.
func (s *Solver) slotCost(r int) float64 {
	l := s.slots[r]
	switch {
	case l.group >= 0:
		return s.cost(l.id) - s.cost(s.key[l.group])
	case l.id == s.stretchID():
		return s.penalty
	}
	return 0
}

// values sets the values of the slots.
func (s *Solver) values() error {
	k := s.k
	for r := range k {
		sum := 0.0
		for i := range k {
			sum += float64(s.inverse[r*k+i] * (s.rhs[i] - s.load[i]))
		}
		s.x[r] = sum
	}
	return nil
}

// invert writes the inverse of the k x k matrix b, which it destroys, and reports whether there is
// one. Rows are scaled by their largest element when pivots are chosen.
func invert(b, inverse []float64, k int) bool {
	var size [MaxRows]float64
	clear(inverse)
	for i := range k {
		inverse[i*k+i] = 1
		for _, v := range b[i*k : i*k+k] {
			size[i] = max(size[i], math.Abs(v))
		}
		if size[i] == 0 || math.IsNaN(size[i]) {
			return false
		}
	}
	for c := range k {
		at, most := -1, 1e-14
		for r := c; r < k; r++ {
			if v := math.Abs(b[r*k+c]) / size[r]; v > most {
				at, most = r, v
			}
		}
		if at < 0 {
			return false
		}
		if at != c {
			size[at], size[c] = size[c], size[at]
			for i := range k {
				b[at*k+i], b[c*k+i] = b[c*k+i], b[at*k+i]
				inverse[at*k+i], inverse[c*k+i] = inverse[c*k+i], inverse[at*k+i]
			}
		}
		eliminate(b, inverse, k, c)
	}
	return true
}

// eliminate clears column c of all rows but its own, which it divides by the pivot.
func eliminate(b, inverse []float64, k, c int) {
	own, ownInverse := b[c*k:c*k+k], inverse[c*k:c*k+k]
	by := 1 / own[c]
	for i := range k {
		own[i] *= by
		ownInverse[i] *= by
	}
	for r := range k {
		f := b[r*k+c]
		if r == c || f == 0 {
			continue
		}
		row, rowInverse := b[r*k:r*k+k], inverse[r*k:r*k+k]
		for i := range k {
			row[i] -= float64(f * own[i])
			rowInverse[i] -= float64(f * ownInverse[i])
		}
	}
}
