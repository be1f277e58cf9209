package figure

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// Rows stand by the mean of their values over the sections, a mark with a name among them, and the
// data are in the order that was given.
func TestForestOrder(t *testing.T) {
	nan := math.NaN()
	f, err := Forest("", Axis{Label: "ratio", Log: true, Marks: []Mark{{At: 1, Name: "base"}}}, []string{"a", "b"},
		[]Series{{Name: "worse", Y: []float64{2, 3}}, {Name: "better", Y: []float64{0.5, 0.9}, Lo: []float64{0.4, nan},
			Hi: []float64{0.6, nan}}, {Name: "mixed", Y: []float64{nan, 1.1}}})
	if err != nil {
		t.Fatal(err)
	}
	o := f.plot.Y.Tick.Marker.(*forest)
	var got []string
	for _, r := range o.rows {
		got = append(got, r.name+r.head)
	}
	want := []string{"a", "better", "base", "mixed", "worse", "b", "better", "base", "mixed", "worse"}
	if !slices.Equal(got, want) {
		t.Errorf("rows are %v, expected %v", got, want)
	}
	if f.Rows[0][1] != "worse" || f.Rows[1][1] != "better" || len(f.legend) != 0 {
		t.Errorf("the data begin with %v, and the legend has %d entries", f.Rows[:2], len(f.legend))
	}
	for _, format := range Formats() {
		if data, err := f.Render(format); err != nil || len(data) == 0 {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// A mark with a look has its symbol in its row, one without has its name alone.
func TestForestMarks(t *testing.T) {
	drawn := map[int]string{}
	for look := range 3 {
		f, err := Forest("", Axis{Label: "difference", Marks: []Mark{{At: 0, Name: "base", Look: look}}}, []string{"all"},
			[]Series{{Name: "other", Y: []float64{1}}})
		if err != nil {
			t.Fatal(err)
		}
		data, err := f.Render("svg")
		if err != nil {
			t.Fatal(err)
		}
		drawn[look] = string(data)
	}
	if len(drawn[0]) >= len(drawn[1]) || len(drawn[0]) >= len(drawn[2]) || drawn[1] == drawn[2] {
		t.Errorf("pictures have %d, %d and %d bytes, expected two symbols", len(drawn[0]), len(drawn[1]), len(drawn[2]))
	}
}

// Names that are wide take several lines, which lie within the height of the row; a star and short
// names are as in a legend.
func TestForestNames(t *testing.T) {
	long := "dally:order=gittins,evict=later,margin=0.176006,min_run=0.026306,t_rack=1.234567"
	f, err := Forest("", Axis{Label: "difference"}, []string{"all"}, []Series{{Name: long, Y: []float64{1}},
		{Name: "srtf", Y: []float64{-1}}, {Name: "fifo", Y: []float64{4}}})
	if err != nil {
		t.Fatal(err)
	}
	f.Star([]string{"srtf"}, "* is clairvoyant")
	o := f.plot.Y.Tick.Marker.(*forest)
	ticks := o.Ticks(0, 0)
	if ticks[0].Label != "srtf*" || !strings.Contains(f.Note, "clairvoyant") {
		t.Errorf("the first row is %q, the note %q", ticks[0].Label, f.Note)
	}
	if n := strings.Count(ticks[1].Label, "\n"); n < 1 || strings.ReplaceAll(ticks[1].Label, "\n", "") != long {
		t.Errorf("the long name is %q", ticks[1].Label)
	}
	up, down := ticks[0].Value-ticks[1].Value, ticks[1].Value-ticks[2].Value
	if up <= 1 || math.Abs(up-down) > 1e-9 {
		t.Errorf("the row of the long name is %g and %g rows away from its neighbours, expected the same and more than 1",
			up, down)
	}
}

// TestForestRefuses: what cannot be drawn is an error.
func TestForestRefuses(t *testing.T) {
	for why, s := range map[string][]Series{"no series": nil, "no point": {{Name: "a", Y: []float64{math.NaN()}}},
		"not above 0": {{Name: "a", Y: []float64{-1}}}, "two values": {{Name: "a", Y: []float64{1, 2}}}} {
		if _, err := Forest("", Axis{Log: true}, []string{"g"}, s); err == nil {
			t.Errorf("%s: no error", why)
		}
	}
}
