package env

import (
	"fmt"
	"math"

	"tarry/sim/rng"
)

// MaskLen is the length of an action mask: one entry per value of Discrete; the components of
// MultiDiscrete one after the other; two per component of MultiBinary (may it be 0, may it be 1);
// none for Box; the parts of Dict and Tuple one after the other.
func MaskLen(s Space) int {
	switch s := s.(type) {
	case Discrete:
		return s.N
	case MultiDiscrete:
		n := 0
		for _, k := range s.N {
			n += k
		}
		return n
	case MultiBinary:
		return 2 * s.N
	case Dict:
		n := 0
		for _, f := range s {
			n += MaskLen(f.Space)
		}
		return n
	case Tuple:
		n := 0
		for _, p := range s {
			n += MaskLen(p)
		}
		return n
	}
	return 0
}

func checkMask(s Space, mask []bool) error {
	if mask != nil && len(mask) != MaskLen(s) {
		return fmt.Errorf("the mask has %d entries, expected %d", len(mask), MaskLen(s))
	}
	return nil
}

// Sample draws uniformly between two bounds, an exponential away from a single one, and a
// standard normal where there is none.
func (b Box) Sample(dst []float64, s *rng.Stream, mask []bool) error {
	if err := checkMask(b, mask); err != nil {
		return err
	}
	for i, lo := range b.Low {
		hi := b.High[i]
		switch below, above := math.IsInf(lo, -1), math.IsInf(hi, 1); {
		case below && above:
			dst[i] = s.NormFloat64()
		case above:
			dst[i] = lo + s.ExpFloat64()
		case below:
			dst[i] = hi - s.ExpFloat64()
		default:
			u := s.Float64()
			dst[i] = min(hi, max(lo, float64(lo*(1-u))+float64(hi*u))) // no overflow of hi-lo
		}
	}
	return nil
}

// Sample draws one of the numbers, all alike.
func (d Discrete) Sample(dst []float64, s *rng.Stream, mask []bool) error {
	if err := checkMask(d, mask); err != nil {
		return err
	}
	i, err := pick(s, d.N, mask)
	dst[0] = float64(d.Start + i)
	return err
}

// Sample draws each component on its own.
func (m MultiDiscrete) Sample(dst []float64, s *rng.Stream, mask []bool) error {
	if err := checkMask(m, mask); err != nil {
		return err
	}
	for i, n := range m.N {
		var sub []bool
		if mask != nil {
			sub, mask = mask[:n], mask[n:]
		}
		k, err := pick(s, n, sub)
		if err != nil {
			return fmt.Errorf("component %d: %w", i, err)
		}
		dst[i] = float64(k)
	}
	return nil
}

// Sample draws each component on its own.
func (m MultiBinary) Sample(dst []float64, s *rng.Stream, mask []bool) error {
	if err := checkMask(m, mask); err != nil {
		return err
	}
	for i := range m.N {
		var sub []bool
		if mask != nil {
			sub = mask[2*i : 2*i+2]
		}
		k, err := pick(s, 2, sub)
		if err != nil {
			return fmt.Errorf("component %d: %w", i, err)
		}
		dst[i] = float64(k)
	}
	return nil
}

// pick draws one of the n indices that the mask allows.
func pick(s *rng.Stream, n int, mask []bool) (int, error) {
	if mask == nil {
		return s.IntN(n), nil
	}
	legal := 0
	for _, ok := range mask {
		if ok {
			legal++
		}
	}
	if legal == 0 {
		return 0, ErrNoLegalAction
	}
	k := s.IntN(legal)
	for i, ok := range mask {
		if ok {
			if k == 0 {
				return i, nil
			}
			k--
		}
	}
	return 0, ErrNoLegalAction
}

// allowed reports whether a mask permits a value that is in the space.
func allowed(s Space, mask []bool, x []float64) bool {
	if mask == nil {
		return true
	}
	if len(mask) != MaskLen(s) {
		return false
	}
	switch s := s.(type) {
	case Discrete:
		return mask[int(x[0])-s.Start]
	case MultiDiscrete:
		for i, n := range s.N {
			if !mask[int(x[i])] {
				return false
			}
			mask = mask[n:]
		}
	case MultiBinary:
		for i := range s.N {
			if !mask[2*i+int(x[i])] {
				return false
			}
		}
	}
	for _, p := range parts(s) {
		n, m := p.Len(), MaskLen(p)
		if !allowed(p, mask[:m], x[:n]) {
			return false
		}
		x, mask = x[n:], mask[m:]
	}
	return true
}
