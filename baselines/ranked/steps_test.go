package ranked

import (
	"math/bits"
	"sort"
	"testing"

	"tarry/sim"
)

// The step of a time is the last that begins at or before it.
func TestStepsAgainstSearch(t *testing.T) {
	s := newSteps()
	for _, at := range append([]sim.Time{-5, 1, sim.Never, sim.Never - 1}, s.at[:]...) {
		for _, x := range []sim.Time{at - 1, at, at / 2, at / 3 * 2,
			sim.Time(1) << (bits.Len64(uint64(max(0, at))) % 63)} {
			k := max(0, sort.Search(numSteps, func(i int) bool { return s.at[i] > x })-1)
			rest := sim.Never
			if k < numSteps-1 {
				rest = s.at[k+1] - x
			}
			if got, left := s.of(x); got != k || left != rest {
				t.Errorf("%v: step %d, %v left, expected %d, %v", x, got, left, k, rest)
			}
		}
	}
}
