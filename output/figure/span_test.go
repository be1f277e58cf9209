package figure

import (
	"math"
	"strings"
	"testing"
)

// Intervals do not squeeze the values, and what is cut off is noted.
func TestSpan(t *testing.T) {
	one := func(y, lo, hi []float64) []Series { return []Series{{Name: "a", Y: y, Lo: lo, Hi: hi}} }
	nan := math.NaN()
	for _, c := range []struct {
		name          string
		series        []Series
		log, fromZero bool
		want          span
	}{
		{"all in", one([]float64{2, 4}, []float64{1, 3}, []float64{3, 5}), false, false, span{1, 5, false}},
		{"bars from zero", one([]float64{2, 4}, []float64{1, 3}, []float64{3, 5}), false, true, span{0, 5, false}},
		{"no utilisation below 0", one([]float64{0.5, 0.6}, []float64{-2, -1}, []float64{0.9, 1}), false, true,
			span{0, 1, true}},
		{"two seeds far apart", one([]float64{2, 4}, []float64{-20, -1}, []float64{24, 5}), false, true,
			span{0, 10, true}},
		{"differences below 0", one([]float64{-2, 1}, []float64{-3, 0}, []float64{-1, 2}), false, true,
			span{-3, 2, false}},
		{"flat lines with wide bands", one([]float64{4, 4}, []float64{1, 1}, []float64{7, 7}), false, false,
			span{1, 7, false}},
		{"ratios", one([]float64{1, 10}, []float64{0.01, 9}, []float64{1.1, 100}), true, false,
			span{1.0 / 3, 30, true}},
		{"nothing", one([]float64{nan, -1}, nil, nil), true, false, span{math.Inf(1), math.Inf(-1), false}},
		{"zeros", one([]float64{0, 0}, []float64{0, 0}, []float64{0, 0}), false, true, span{0, 0, false}},
	} {
		if got := spanOf(c.series, c.log, c.fromZero); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	for name, draw := range map[string]func([]Series) (*Figure, error){
		"bars":  func(s []Series) (*Figure, error) { return Bars("", Axis{}, []string{"x", "y"}, s) },
		"dots":  func(s []Series) (*Figure, error) { return Dots("", Axis{}, []string{"x", "y"}, s) },
		"lines": func(s []Series) (*Figure, error) { s[0].X = []float64{1, 2}; return Lines("", Axis{}, Axis{}, s) },
	} {
		for wide, want := range map[float64]bool{5: false, 500: true} {
			f, err := draw(one([]float64{2, 4}, []float64{1, 3}, []float64{3, wide}))
			if err != nil {
				t.Fatal(err)
			}
			svg, err := f.Render("svg")
			if err != nil || f.Rows[1][len(f.Rows[1])-1] == "" ||
				strings.Contains(string(svg), "arrows and cut bands") != want {
				t.Errorf("%s with an interval to %v: says that it is cut: %v, %v", name, wide, !want, err)
			}
		}
	}
}
