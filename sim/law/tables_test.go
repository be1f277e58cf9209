package law

import "testing"

// mass is the part's probability between two values.
func (p part) mass(from, to float64) float64 {
	a, b := (from-p.mean)/p.sd, (to-p.mean)/p.sd
	if a > 0 {
		a, b = -b, -a
	}
	return p.weight * (p.up(b) - p.up(a))
}

// The masses of all intervals have the bits that each has alone.
func TestMassesAgainstMass(t *testing.T) {
	u := make([]float64, 60)
	for i := range u {
		u[i] = -3 + 0.1*float64(i) + 0.001*float64(i*i%7)
	}
	for _, p := range []part{{0.3, 0.45, 0.6, false}, {1, -5, 0.2, false}, {0.2, 0.5, 0.4, true}, {0.1, 9, 0.4, true},
		{0.7, u[20], 0.3, false}} {
		got := make([]float64, len(u)-1)
		p.masses(got, u)
		for i := range got {
			if want := p.mass(u[i], u[i+1]); got[i] != want {
				t.Errorf("%+v, %v to %v: %v, expected %v", p, u[i], u[i+1], got[i], want)
			}
		}
	}
}
