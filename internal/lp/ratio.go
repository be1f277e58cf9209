package lp

import (
	"cmp"
	"math"
	"slices"
)

// breakpoint is a step at which a basic value comes to a bound.
type breakpoint struct {
	step, slope float64
	row         int
}

// ratio finds how far column q can move: the step, and the row whose basic value stops it. flip =
// it comes to its own other bound first. r < 0 without flip = nothing stops it.
func (s *solver) ratio(q int, one bool) (step float64, r int, flip bool) {
	span := s.hi[q] - s.lo[q]
	sense := s.sense(q)
	switch {
	case one:
		step, r = s.long(sense, math.Abs(s.d[q]))
	case s.bland():
		step, r = s.first(sense)
	default:
		step, r = s.harris(sense)
	}
	if span <= step && !math.IsInf(span, 1) {
		return span, -1, true
	}
	return step, r, false
}

// room is how far the basic value of row i can move before it comes to its bound; rate is how fast
// it moves per step.
func (s *solver) room(i int, sense float64) (room, rate float64) {
	rate = -sense * s.alpha[i]
	j := s.head[i]
	if rate > 0 {
		return s.hi[j] - s.x[j], rate
	}
	return s.x[j] - s.lo[j], -rate
}

// harris is the ratio test in two passes: bounds may be exceeded by the tolerance, and of all rows
// that stop within it, the one with the largest pivot counts (P. Harris, "Pivot Selection Methods
// of the Devex LP Code", 1973).
func (s *solver) harris(sense float64) (step float64, r int) {
	most := math.Inf(1)
	for i, a := range s.alpha {
		if a > pivotAbove || a < -pivotAbove {
			if room, rate := s.room(i, sense); room+feasible/2 < most*rate {
				most = max(room+feasible/2, 0) / rate
			}
		}
	}
	if math.IsInf(most, 1) {
		return most, -1
	}
	r = -1
	best := 0.0
	for i, a := range s.alpha {
		if a > pivotAbove || a < -pivotAbove {
			if room, rate := s.room(i, sense); room <= most*rate && rate > best {
				r, best, step = i, rate, max(room, 0)/rate
			}
		}
	}
	return step, r
}

// pivotAbove is what an entry must exceed to stop a step.
const pivotAbove = 1e-10

// first is the exact ratio test of Bland's rule: of equal steps, the column with the lowest number.
func (s *solver) first(sense float64) (step float64, r int) {
	step, r = math.Inf(1), -1
	for i, a := range s.alpha {
		if math.Abs(a) <= small {
			continue
		}
		room, rate := s.room(i, sense)
		if t := max(room, 0) / rate; t < step || t == step && r >= 0 && s.head[i] < s.head[r] {
			step, r = t, i
		}
	}
	return step, r
}

// long is the ratio test of phase one: the sum of what lies outside of bounds falls with a slope
// that changes at each bound that a basic value comes to, and the step ends where it would rise.
func (s *solver) long(sense, slope float64) (step float64, r int) {
	s.breaks = s.breaks[:0]
	for i, a := range s.alpha {
		rate := -sense * a
		if math.Abs(rate) <= pivotAbove {
			continue
		}
		j := s.head[i]
		near, far := s.lo[j], s.hi[j] // in the direction of the move
		x := s.x[j]
		if rate < 0 {
			rate, near, far, x = -rate, -far, -near, -x
		}
		if x < near-feasible {
			s.breaks = append(s.breaks, breakpoint{(near - x) / rate, rate, i})
		}
		if x <= far+feasible && !math.IsInf(far, 1) {
			s.breaks = append(s.breaks, breakpoint{max(far-x, 0) / rate, rate, i})
		}
	}
	slices.SortFunc(s.breaks, func(a, b breakpoint) int {
		return cmp.Or(cmp.Compare(a.step, b.step), cmp.Compare(b.slope, a.slope), cmp.Compare(a.row, b.row))
	})
	if s.bland() {
		slope = 0
	}
	step, r = math.Inf(1), -1
	for _, b := range s.breaks {
		if b.slope >= small || r < 0 || math.Abs(s.alpha[r]) < small {
			step, r = b.step, b.row
		}
		if slope -= b.slope; slope <= dualFeasible && b.slope >= small {
			break
		}
	}
	return step, r
}
