package figure

import "math"

// span is what a y axis shows: all values, and of their intervals as much as leaves the values to
// be seen. cut states that some interval ends beyond.
type span struct {
	lo, hi float64
	cut    bool
}

// How far intervals may go beyond the values: on a linear axis times the range of the values, or
// half the largest if that is more; on a logarithmic one the factor.
const (
	beyond       = 1.5
	beyondFactor = 3
)

// spanOf finds the range. fromZero states that bars start at 0. Where no value is below 0 the axis
// is not either: what is below 0 of an interval states nothing. Without a value that fits it is
// empty (lo > hi).
func spanOf(series []Series, log, fromZero bool) span {
	least, most := math.Inf(1), math.Inf(-1)
	lo, hi := math.Inf(1), math.Inf(-1)
	see := func(v float64) {
		if fits(v, log) {
			least, most = min(least, v), max(most, v)
		}
	}
	for _, s := range series {
		for i, v := range s.Y {
			see(v)
			if a, b, ok := s.bounds(i); ok && fits(v, log) {
				lo, hi = min(lo, a), max(hi, b)
			}
		}
		for _, m := range s.Members {
			for _, v := range m.Y {
				see(v)
			}
		}
	}
	if least > most {
		return span{lo: least, hi: most}
	}
	s := span{lo: min(lo, least), hi: max(hi, most)}
	if log {
		floor, ceiling := least/beyondFactor, most*beyondFactor
		s.cut = s.lo < floor || s.hi > ceiling
		s.lo, s.hi = max(s.lo, floor), min(s.hi, ceiling)
		return s
	}
	if fromZero {
		s.lo, s.hi = min(s.lo, 0), max(s.hi, 0)
	}
	if least >= 0 {
		s.cut = s.lo < 0
		s.lo = max(s.lo, 0)
	}
	if fromZero {
		least, most = min(least, 0), max(most, 0)
	}
	room := float64(beyond * max(most-least, 0.5*max(math.Abs(least), math.Abs(most))))
	if room > 0 {
		s.cut = s.cut || s.lo < least-room || s.hi > most+room
		s.lo, s.hi = max(s.lo, least-room), min(s.hi, most+room)
	}
	return s
}

// fits reports whether an axis has a place for a value.
func fits(v float64, log bool) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!log || v > 0)
}
