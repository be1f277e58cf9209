package env

import "fmt"

// FlatDim is the length of a value after Flatten: one per number of a Box or MultiBinary, one
// per choice of a Discrete or component of MultiDiscrete, summed over parts.
func FlatDim(s Space) int {
	switch s := s.(type) {
	case Discrete:
		return s.N
	case MultiDiscrete:
		return MaskLen(s)
	case Dict, Tuple:
		n := 0
		for _, p := range parts(s) {
			n += FlatDim(p)
		}
		return n
	}
	return s.Len()
}

// Flatten writes a value as what a network reads: choices one-hot, the rest as it is. dst has
// length FlatDim, x is a value of the space.
func Flatten(dst []float64, s Space, x []float64) {
	switch s := s.(type) {
	case Discrete:
		clear(dst)
		dst[int(x[0])-s.Start] = 1
	case MultiDiscrete:
		clear(dst)
		for i, n := range s.N {
			dst[int(x[i])] = 1
			dst = dst[n:]
		}
	case Dict:
		for _, f := range s {
			x, dst = flattenPart(dst, f.Space, x)
		}
	case Tuple:
		for _, p := range s {
			x, dst = flattenPart(dst, p, x)
		}
	default:
		copy(dst, x)
	}
}

// flattenPart writes one part and gives what is left of both sides.
func flattenPart(dst []float64, s Space, x []float64) (restX, restDst []float64) {
	n, f := s.Len(), FlatDim(s)
	Flatten(dst[:f], s, x[:n])
	return x[n:], dst[f:]
}

// Unflatten is the inverse of Flatten: dst has length Len, flat has length FlatDim. Of a choice
// it takes the largest entry, the first among equals.
func Unflatten(dst []float64, s Space, flat []float64) error {
	if len(flat) != FlatDim(s) || len(dst) != s.Len() {
		return fmt.Errorf("unflatten %d numbers into %d, expected %d into %d", len(flat), len(dst), FlatDim(s), s.Len())
	}
	switch s := s.(type) {
	case Discrete:
		dst[0] = float64(s.Start + argmax(flat))
	case MultiDiscrete:
		for i, n := range s.N {
			dst[i] = float64(argmax(flat[:n]))
			flat = flat[n:]
		}
	case Dict, Tuple:
		for _, p := range parts(s) {
			n, f := p.Len(), FlatDim(p)
			if err := Unflatten(dst[:n], p, flat[:f]); err != nil {
				return err
			}
			dst, flat = dst[n:], flat[f:]
		}
	default:
		copy(dst, flat)
	}
	return nil
}

func argmax(v []float64) int {
	best := 0
	for i := range v {
		if v[i] > v[best] {
			best = i
		}
	}
	return best
}

// FlatSpace is where flattened values lie: a Box of FlatDim numbers, with [0, 1] for each choice.
func FlatSpace(s Space) Box {
	switch s := s.(type) {
	case Box:
		return Box{Low: s.Low, High: s.High}
	case Dict, Tuple:
		var b Box
		for _, p := range parts(s) {
			f := FlatSpace(p)
			b.Low = append(b.Low, f.Low...)
			b.High = append(b.High, f.High...)
		}
		return b
	}
	return NewBox(0, 1, FlatDim(s))
}
