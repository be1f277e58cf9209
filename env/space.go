package env

import (
	"fmt"
	"math"
	"slices"

	"tarry/sim/rng"
)

// Space is a set of values: Box, Discrete, MultiDiscrete, MultiBinary, Dict or Tuple, and nothing
// else. Spaces are plain values; a space in use does not change.
type Space interface {
	// Len is how many numbers a value has.
	Len() int
	// Contains reports whether x has that length and is a value. NaN is in no space.
	Contains(x []float64) bool
	// Sample writes a random value to dst, whose length is Len. A mask in the layout of MaskLen
	// restricts the choice; nil means none. Errors: a mask of another length, ErrNoLegalAction.
	Sample(dst []float64, s *rng.Stream, mask []bool) error
}

// Box is a box of real numbers with a bound on either side of each. Bounds belong to it and may
// be infinite.
type Box struct {
	// Low and High bound each number, in row-major order.
	Low, High []float64
	// Shape gives the numbers an arrangement, such as {rows, columns}; nil means one row.
	Shape []int
}

// NewBox gives a Box with the same bounds everywhere.
func NewBox(low, high float64, shape ...int) Box {
	n := 1
	for _, d := range shape {
		n *= d
	}
	b := Box{Low: make([]float64, n), High: make([]float64, n), Shape: slices.Clone(shape)}
	for i := range n {
		b.Low[i], b.High[i] = low, high
	}
	return b
}

// Len is the number of elements.
func (b Box) Len() int { return len(b.Low) }

// Contains reports whether each number lies within its bounds.
func (b Box) Contains(x []float64) bool {
	if len(x) != len(b.Low) || len(b.High) != len(b.Low) {
		return false
	}
	for i, v := range x {
		if !(v >= b.Low[i] && v <= b.High[i]) {
			return false
		}
	}
	return true
}

// Discrete is the whole numbers Start ... Start+N-1.
type Discrete struct {
	// N is how many there are, > 0.
	N int
	// Start is the first; 0 unless there is a reason.
	Start int
}

// Len is 1.
func (d Discrete) Len() int { return 1 }

// Contains reports whether x is one of the numbers.
func (d Discrete) Contains(x []float64) bool {
	return len(x) == 1 && whole(x[0]-float64(d.Start), d.N)
}

// MultiDiscrete is several independent choices; component i is a whole number 0 ... N[i]-1.
type MultiDiscrete struct {
	// N has the number of values of each component, each > 0.
	N []int
}

// Len is the number of components.
func (m MultiDiscrete) Len() int { return len(m.N) }

// Contains reports whether each component is in its range.
func (m MultiDiscrete) Contains(x []float64) bool {
	if len(x) != len(m.N) {
		return false
	}
	for i, v := range x {
		if !whole(v, m.N[i]) {
			return false
		}
	}
	return true
}

// MultiBinary is N independent choices of 0 or 1.
type MultiBinary struct {
	// N is how many, > 0.
	N int
}

// Len is N.
func (m MultiBinary) Len() int { return m.N }

// Contains reports whether each component is 0 or 1.
func (m MultiBinary) Contains(x []float64) bool {
	if len(x) != m.N {
		return false
	}
	for _, v := range x {
		if v != 0 && v != 1 {
			return false
		}
	}
	return true
}

// whole reports whether v is a whole number in [0, n).
func whole(v float64, n int) bool { return v >= 0 && v < float64(n) && v == math.Trunc(v) }

// Explain reports why x is not a value of the space: which number, and what was expected.
// It gives nil when x is one.
func Explain(s Space, x []float64) error {
	if s.Contains(x) {
		return nil
	}
	if len(x) != s.Len() {
		return fmt.Errorf("%d numbers, expected %d", len(x), s.Len())
	}
	switch s := s.(type) {
	case Box:
		for i, v := range x {
			if !(v >= s.Low[i] && v <= s.High[i]) {
				return fmt.Errorf("number %d is %v, expected one in [%v, %v]", i, v, s.Low[i], s.High[i])
			}
		}
	case Discrete:
		return fmt.Errorf("%v, expected a whole number from %d to %d", x[0], s.Start, s.Start+s.N-1)
	case MultiDiscrete:
		for i, v := range x {
			if !whole(v, s.N[i]) {
				return fmt.Errorf("number %d is %v, expected a whole number from 0 to %d", i, v, s.N[i]-1)
			}
		}
	case MultiBinary:
		for i, v := range x {
			if v != 0 && v != 1 {
				return fmt.Errorf("number %d is %v, expected 0 or 1", i, v)
			}
		}
	}
	for i, part := range parts(s) {
		n := part.Len()
		if err := Explain(part, x[:n]); err != nil {
			return fmt.Errorf("%s: %w", partName(s, i), err)
		}
		x = x[n:]
	}
	return fmt.Errorf("not a value of %s", Describe(s))
}
