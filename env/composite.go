package env

import (
	"fmt"
	"iter"
	"slices"

	"tarry/sim/rng"
)

// Field is one named part of a Dict.
type Field struct {
	// Name is unique within the Dict, not "".
	Name string
	// Space is where its value lies.
	Space Space
}

// Dict is named spaces; a value is theirs, one after the other in the order declared.
type Dict []Field

// Len is the sum of the parts' lengths.
func (d Dict) Len() int { return lenOf(d) }

// Contains reports whether each part is in its space.
func (d Dict) Contains(x []float64) bool { return containsAll(d, x) }

// Sample draws the parts in order.
func (d Dict) Sample(dst []float64, s *rng.Stream, mask []bool) error {
	return sampleAll(d, dst, s, mask)
}

// Tuple is spaces in order; a value is theirs, one after the other.
type Tuple []Space

// Len is the sum of the parts' lengths.
func (t Tuple) Len() int { return lenOf(t) }

// Contains reports whether each part is in its space.
func (t Tuple) Contains(x []float64) bool { return containsAll(t, x) }

// Sample draws the parts in order.
func (t Tuple) Sample(dst []float64, s *rng.Stream, mask []bool) error {
	return sampleAll(t, dst, s, mask)
}

// parts walks the parts of a composite space; it is empty for the others.
func parts(s Space) iter.Seq2[int, Space] {
	return func(yield func(int, Space) bool) {
		switch s := s.(type) {
		case Dict:
			for i := range s {
				if !yield(i, s[i].Space) {
					return
				}
			}
		case Tuple:
			for i := range s {
				if !yield(i, s[i]) {
					return
				}
			}
		}
	}
}

// partName names a part in errors.
func partName(s Space, i int) string {
	if d, ok := s.(Dict); ok {
		return d[i].Name
	}
	return fmt.Sprintf("part %d", i)
}

func lenOf(s Space) int {
	n := 0
	for _, p := range parts(s) {
		n += p.Len()
	}
	return n
}

func containsAll(s Space, x []float64) bool {
	for _, p := range parts(s) {
		n := p.Len()
		if n > len(x) || !p.Contains(x[:n]) {
			return false
		}
		x = x[n:]
	}
	return len(x) == 0
}

func sampleAll(s Space, dst []float64, r *rng.Stream, mask []bool) error {
	if err := checkMask(s, mask); err != nil {
		return err
	}
	for i, p := range parts(s) {
		n, m := p.Len(), MaskLen(p)
		var sub []bool
		if mask != nil {
			sub, mask = mask[:m], mask[m:]
		}
		if err := p.Sample(dst[:n], r, sub); err != nil {
			return fmt.Errorf("%s: %w", partName(s, i), err)
		}
		dst = dst[n:]
	}
	return nil
}

// EqualSpaces reports whether two spaces are of the same kind with the same bounds, names and
// shapes. A Box without a shape equals one whose shape is its length.
func EqualSpaces(a, b Space) bool {
	switch a := a.(type) {
	case Box:
		b, ok := b.(Box)
		return ok && slices.Equal(a.Low, b.Low) && slices.Equal(a.High, b.High) && slices.Equal(a.dims(), b.dims())
	case Discrete:
		return Space(a) == b
	case MultiBinary:
		return Space(a) == b
	case MultiDiscrete:
		b, ok := b.(MultiDiscrete)
		return ok && slices.Equal(a.N, b.N)
	case Dict:
		b, ok := b.(Dict)
		return ok && slices.EqualFunc(a, b, func(f, g Field) bool {
			return f.Name == g.Name &&
				EqualSpaces(f.Space, g.Space)
		})
	case Tuple:
		b, ok := b.(Tuple)
		return ok && slices.EqualFunc(a, b, EqualSpaces)
	}
	return false
}

// dims is the shape, stated or not.
func (b Box) dims() []int {
	if b.Shape == nil {
		return []int{len(b.Low)}
	}
	return b.Shape
}
