package stats

import (
	"math"
	"testing"
)

// The case of the fault: two policies do the same on all windows but some, and what is left of the
// sums is rounding.
func TestRoundingIsNoFinding(t *testing.T) {
	noise := Interval{Point: 27.49, Lo: math.Ldexp(1, -40), Hi: 74.24, N: 10}
	if noise.Lo != 9.094947017729282e-13 {
		t.Fatalf("the bound is %v", noise.Lo)
	}
	times := []float64{5000, 7000, 9000}
	for _, c := range []struct {
		iv   Interval
		want int
	}{
		{noise, 0},
		{Interval{Lo: -74.24, Hi: -9.09e-13}, 0},
		{Interval{Lo: 0.001, Hi: 3}, 1},
		{Interval{Lo: -3, Hi: -0.001}, -1},
		{Interval{Lo: -1, Hi: 1}, 0},
		{Interval{Lo: 0, Hi: 1}, 0},
		{Interval{Lo: math.NaN(), Hi: math.NaN()}, 0},
	} {
		if got := c.iv.Sign(Resolution(times)); got != c.want {
			t.Errorf("[%v, %v] is %d, want %d", c.iv.Lo, c.iv.Hi, got, c.want)
		}
	}
	if got := noise.Snap(0, Resolution(times)); got.Lo != 0 || got.Hi != 74.24 || got.Point != 27.49 {
		t.Errorf("snapped to %v", got)
	}
}

func TestResolution(t *testing.T) {
	near(t, "resolution", Resolution([]float64{1000, -3000}, []float64{5, math.Inf(1), math.NaN()}), 2e-6, 1e-18)
	near(t, "resolution of nothing", Resolution(nil, []float64{math.NaN()}), 0, 0)
	for _, c := range []struct {
		a, b float64
		want bool
	}{{0, 0, true}, {1e4, 1e4 + 1e-9, true}, {1e4, 1e4 + 1e-3, false}, {0, 1e-300, false},
		{math.NaN(), math.NaN(), false}, {math.Inf(1), math.Inf(1), true}, {1, math.Inf(1), false}} {
		if Equal(c.a, c.b) != c.want {
			t.Errorf("Equal(%v, %v) = %v", c.a, c.b, !c.want)
		}
	}
}

// Numbers that differ by rounding give no difference, a ratio of 1, and ties, however their
// intervals are made.
func TestComparisonsOfRounding(t *testing.T) {
	a, b := make([]float64, 12), make([]float64, 12)
	for i := range a {
		b[i] = 4096 + float64(i)
		a[i] = math.Nextafter(b[i], math.Inf(1)) // one way: the plain interval is above 0
	}
	c, err := Paired(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if c.Diff.Point != 0 || c.Diff.Lo != 0 || c.Diff.Hi != 0 || c.Ratio.Lo != 1 || c.Ratio.Hi != 1 || c.Ties != 12 ||
		c.Below.Point != 0.5 {
		t.Errorf("%+v", c)
	}
	d, err := Difference(Grid{b}, Grid{a})
	if err != nil || d.Point != 0 || d.Lo != 0 || d.Hi != 0 {
		t.Errorf("difference %v, %v", d, err)
	}
	p, err := Percent(Grid{a}, Grid{b})
	if err != nil || p.Point != 0 || p.Lo != 0 || p.Hi != 0 {
		t.Errorf("per cent %v, %v", p, err)
	}
	if got := Below(Grid{a}, Grid{b}); got != 0.5 {
		t.Errorf("share below %v", got)
	}
}

// A real difference stays: of x minus base, in the unit and in per cent.
func TestDifferenceAndPercent(t *testing.T) {
	base, x := Grid{{100, 200, 300}}, Grid{{118, 221, 321}, {90, 180, 270}}
	d, err := Difference(base, Grid{x[0]})
	if err != nil || math.Abs(d.Point-20) > 1e-9 || d.Sign(Resolution(base.Pool())) != 1 {
		t.Errorf("difference %v, %v", d, err)
	}
	p, err := Percent(Grid{x[1]}, base)
	if err != nil || math.Abs(p.Point+10) > 1e-9 || p.Sign(100*Relative) != -1 {
		t.Errorf("per cent %v, %v", p, err)
	}
	near(t, "share", Below(x, base), 0.5, 0)
	if _, err := Difference(Grid{{1, 2}}, Grid{{1}}); err == nil {
		t.Error("grids of different widths are compared")
	}
}

func TestBelow(t *testing.T) {
	for _, c := range []struct {
		a, b Grid
		want float64
	}{
		{Grid{{1, 5, 2}}, Grid{{2, 4, 2}}, 0.5},
		{Grid{{1, 1}, {3, 1}}, Grid{{2, 2}}, 0.75},
		{Grid{{1}}, Grid{{0}, {2}, {3}, {1}}, 0.625},
	} {
		if got := Below(c.a, c.b); got != c.want {
			t.Errorf("%v against %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
