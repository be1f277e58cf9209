package mmc

import (
	"math"
	"testing"
)

// One server is a plain exponential; two at half load wait one time in three.
func TestClosedForms(t *testing.T) {
	if got, want := Attained(1, 3, 5, 0.7), 1-math.Exp(-2*0.7); math.Abs(got-want) > 1e-14 {
		t.Errorf("M/M/1: %v, expected %v", got, want)
	}
	if got := Wait(2, 5, 5); math.Abs(got-1.0/3) > 1e-15 {
		t.Errorf("M/M/2 at half load: %v wait, expected 1/3", got)
	}
	if got := Attained(2, 10, 5, 1); got != 0 {
		t.Errorf("load = capacity: %v, expected 0", got)
	}
	if w := Wait(10000, 9900, 1); !(w > 0 && w < 1) {
		t.Errorf("10 000 servers: %v", w)
	}
}
