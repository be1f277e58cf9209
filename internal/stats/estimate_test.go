package stats

import (
	"math"
	"testing"
)

// Of one row the interval is Student's; of one window, Student's over seeds; of both, the squares
// of what it reaches add up.
func TestEstimateByHand(t *testing.T) {
	mean := func(g []Grid) float64 { return Mean(g[0].Pool()) }
	x := []float64{1, 5, 2.5, 7}
	want := Student(x)
	for name, g := range map[string]Grid{"windows": {x}, "seeds": {{1}, {5}, {2.5}, {7}}} {
		iv, err := Estimate([]Grid{g}, Plain, mean)
		if err != nil {
			t.Fatal(err)
		}
		near(t, name+": lower bound", iv.Lo, want.Lo, 1e-9)
		near(t, name+": upper bound", iv.Hi, want.Hi, 1e-9)
	}
	// Seeds have means 3 and 6, windows 3, 5.5 and 5: variances 4.5/2 and 1.75/3.
	iv, err := Estimate([]Grid{{{1, 5, 3}, {5, 6, 7}}}, Plain, mean)
	if err != nil {
		t.Fatal(err)
	}
	// Student's quantiles for 1 and 2 degrees of freedom
	seeds, windows := 12.706205*math.Sqrt(4.5/2), 4.302653*math.Sqrt(1.75/3)
	near(t, "half the width", (iv.Hi-iv.Lo)/2, math.Hypot(seeds, windows), 1e-5)
}

func TestEstimateOfLittle(t *testing.T) {
	mean := func(g []Grid) float64 { return Mean(g[0].Pool()) }
	iv, err := Estimate([]Grid{{{4}}}, Plain, mean)
	if err != nil || iv.Point != 4 || !math.IsNaN(iv.Lo) {
		t.Errorf("one number has interval %+v, %v", iv, err)
	}
	iv, err = Estimate([]Grid{{{4, nan, 6}, {1, 2, 3}}}, Plain, mean)
	if err != nil || iv.Point != 3.5 || iv.N != 2 {
		t.Errorf("a window without a number gives %+v, %v", iv, err)
	}
	warns(t, "few", iv.Warnings, "1 of 3 windows")
	for want, grids := range map[string][]Grid{
		"stats: two levels of no policy or of no seed":        {},
		"stats: policy 1 has no seed":                         {{{1}}, {}},
		"stats: seed 1 of policy 0 has 1 windows, expected 2": {{{1, 2}, {3}}},
		"stats: seed 0 of policy 1 has 3 windows, expected 2": {{{1, 2}}, {{3, 4, 5}}},
	} {
		if _, err := Estimate(grids, Plain, mean); err == nil || err.Error() != want {
			t.Errorf("error is %v, expected %s", err, want)
		}
	}
}
