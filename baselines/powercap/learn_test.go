package powercap

import (
	"math"
	"testing"
)

// Two clocks fix a fit: it expects what was measured at both, and p0 + p3 c^3 elsewhere. The first
// measurement moves both parts alike at that clock, and a change is followed.
func TestFit(t *testing.T) {
	truth := func(c float64) float64 { return 0.2 + 0.6*c*c*c }
	f := begin()
	if f.value(1) != 1 || f.value(0.5) != 0.5625 {
		t.Errorf("before any measurement %v at 1 and %v at 0.5", f.value(1), f.value(0.5))
	}
	f.add(1, truth(1), 0.98)
	if off := math.Abs(f.value(1) - truth(1)); off > 1e-3 || math.Abs(f.at[0]-f.at[1]) > 1e-9 {
		t.Errorf("after one measurement %v, off by %v", f.at, off)
	}
	f.add(0.5, truth(0.5), 0.98)
	for _, c := range []float64{0.5, 0.7, 1} {
		if off := math.Abs(f.value(c) - truth(c)); off > 2e-3 {
			t.Errorf("after two measurements off by %v at %v", off, c)
		}
	}
	for range 200 { // more watts from now on
		f.add(1, 0.9, 0.98)
		f.add(0.5, 0.3, 0.98)
	}
	if math.Abs(f.value(1)-0.9) > 0.01 || math.Abs(f.value(0.5)-0.3) > 0.01 {
		t.Errorf("after a change %v at 1 and %v at 0.5", f.value(1), f.value(0.5))
	}
}
