package layout

import (
	"math"
	"slices"
	"testing"
)

func TestFeatures(t *testing.T) {
	got := Features(`
busy  0..1  share  GPUs in use / GPUs that are up
level      0, 0.5, 1    place  where it is
0,2..10  take it
turn  -4pi..inf  rad/s  its speed
lonely`)
	want := []Feature{{"busy", "0..1", "share", "GPUs in use / GPUs that are up"},
		{"level", "0, 0.5, 1", "place", "where it is"}, {Name: "0,2..10", Doc: "take it"},
		{"turn", "-4pi..inf", "rad/s", "its speed"}, {Name: "lonely"}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, expected %+v", got, want)
	}
	if names := Names(got[:2]); !slices.Equal(names, []string{"busy", "level"}) {
		t.Errorf("names %v", names)
	}
	if r := Ranged(got, "-10..10", "scaled from"); r[0].Range != "-10..10" || r[2].Range != "" || got[0].Range != "0..1" ||
		r[0].Doc != "GPUs in use / GPUs that are up; scaled from 0..1" {
		t.Errorf("other ranges give %+v", r)
	}
}

func TestRanges(t *testing.T) {
	for text, c := range map[string]struct {
		low, high float64
		in, out   []float64
	}{
		"0..1":      {0, 1, []float64{0, 0.3, 1}, []float64{-1e-9, 1.1, math.NaN()}},
		"0, 0.5, 1": {0, 1, []float64{0, 0.5, 1}, []float64{0.25, 2, math.NaN()}},
		"-inf..inf": {math.Inf(-1), math.Inf(1), []float64{-1e300, math.Inf(1)}, []float64{math.NaN()}},
		"-9pi..9pi": {-9 * math.Pi, 9 * math.Pi, []float64{9 * math.Pi, 0}, []float64{28.3}},
		"0":         {0, 0, []float64{0}, []float64{1}},
	} {
		f := Feature{Range: text}
		if low, high := f.Bounds(); low != c.low || high != c.high {
			t.Errorf("%s has the bounds %v and %v", text, low, high)
		}
		for _, x := range c.in {
			if !f.Contains(x) {
				t.Errorf("%s lacks %v", text, x)
			}
		}
		for _, x := range c.out {
			if f.Contains(x) {
				t.Errorf("%s has %v", text, x)
			}
		}
	}
	for _, text := range []string{"", "0..", "many", "0, x"} {
		f := Feature{Range: text}
		if low, high := f.Bounds(); low <= high {
			t.Errorf("%q has the bounds %v and %v, expected none", text, low, high)
		}
	}
}

func TestRows(t *testing.T) {
	o := Observation{Segments: []Segment{{Name: "all", Features: Features("a  1\nb  2"), Items: 1},
		{Name: "job", Doc: "a job", Features: Features("c  3\nd  4"), Items: 3}}}
	rows := o.Rows()
	last := rows[len(rows)-1]
	if len(rows) != 4 || last.First != 3 || last.Step != 2 || last.Items != 3 || last.Name != "d" || last.Item != "a job" {
		t.Errorf("%+v", rows)
	}
}
