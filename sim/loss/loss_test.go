package loss

import (
	"math"
	"testing"

	"tarry/sim/rng"
)

// Curves by hand, and the progress at which a part is left.
func TestByHand(t *testing.T) {
	for _, c := range []struct {
		curve       Curve
		k, at, part float64
	}{
		{Curve{Sublinear, 0, 1, 1, 2}, 3, 2.25, 0.25},
		{Curve{Sublinear, 1, 0, 0.5, 0}, 2, 1 / 4.5, 1.0 / 9},
		{Curve{Exponential, 8, math.Ln2, 0, 1}, 3, 2, 0.125},
	} {
		if got := c.curve.At(c.k); math.Abs(got-c.at) > 1e-12 {
			t.Errorf("%+v at %v is %v, expected %v", c.curve, c.k, got, c.at)
		}
		if got := c.curve.Normal(c.k); math.Abs(got-c.part) > 1e-12 {
			t.Errorf("%+v at %v has %v left, expected %v", c.curve, c.k, got, c.part)
		}
		if got := c.curve.Reach(c.part); math.Abs(got-c.k) > 1e-9 {
			t.Errorf("%+v has %v left at %v, expected %v", c.curve, c.part, got, c.k)
		}
	}
}

// Drawn curves fall, and half is lost about where it should.
func TestDraw(t *testing.T) {
	r := rng.Source{Seed: 1}.Stream("curves")
	early := 0
	for range 1000 {
		c := Draw(r, 50, 1)
		if h := c.Reach(0.5); h < 50 {
			early++
		}
		for k := 0.0; k < 1000; k += 10 {
			if c.At(k+10) > c.At(k) || c.At(k) < c.D || c.At(10) == c.At(0) {
				t.Fatalf("%+v does not fall at %v", c, k)
			}
		}
	}
	if early < 450 || early > 550 {
		t.Errorf("half is lost before the median in %d cases of 1000", early)
	}
}

// The fit of 20 points finds the curve that they are from: the loss over the progress made so far
// is right to 1e-6 of what there was to lose, and as far again to 2 %.
func TestFitRecovers(t *testing.T) {
	r := rng.Source{Seed: 2}.Stream("curves")
	for n := range 400 {
		c := Draw(r, 50, 1)
		var points []Point
		last := c.Reach(0.5) * (0.2 + 4*r.Float64())
		for i := range 20 {
			k := last * float64(i+1) / 20
			points = append(points, Point{k, c.At(k)})
		}
		got, ok := Fit(points, 10)
		if !ok {
			t.Fatalf("case %d: no fit of %+v", n, c)
		}
		span := c.At(0) - c.D
		for k := last / 20; k <= 2*last; k += last / 20 {
			tol := 1e-6 * span
			if k > last {
				tol = 0.02 * span
			}
			if d := math.Abs(got.At(k) - c.At(k)); d > tol {
				t.Fatalf("case %d: %+v is fitted as %+v, which at %v is off by %v of %v to lose, seen up to %v", n, c,
					got, k, d, span, last)
			}
		}
	}
}

func TestNothingToFit(t *testing.T) {
	for _, p := range [][]Point{nil, {{1, 2}, {2, 1}}, {{1, 1}, {2, 1}, {3, 1}}, {{2, 3}, {2, 2}, {2, 1}}} {
		if c, ok := Fit(p, 5); ok {
			t.Errorf("%v is fitted as %+v", p, c)
		}
	}
	if c, ok := Fit([]Point{{1, 1}, {2, 2}, {3, 3}}, 5); ok && !(c.At(4) <= c.At(1)) {
		t.Errorf("a loss that rises is fitted as %+v, which rises", c)
	}
}
