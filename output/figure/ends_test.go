package figure

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// rising gives n lines that end at different heights.
func rising(n int, name string) []Series {
	var out []Series
	for i := range n {
		s := Series{Name: fmt.Sprintf(name, i), X: []float64{0, 1, 2}}
		for k := range s.X {
			s.Y = append(s.Y, float64(1+i)*(1+s.X[k]))
			s.Lo, s.Hi = append(s.Lo, s.Y[k]-0.5), append(s.Hi, s.Y[k]+0.5)
		}
		out = append(out, s)
	}
	return out
}

// Names stand at the ends of lines, near to them and apart from each other, or else in the legend.
func TestNamesAtTheEnds(t *testing.T) {
	draw := func(s []Series) *Figure {
		f, err := Lines("", Axis{}, Axis{}, s)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := draw(rising(6, "p%d"))
	if _, ok := f.direct(); !ok {
		t.Fatal("there is room for six names")
	}
	at, places := f.endPlaces(0, 130)
	sorted := slices.Clone(places)
	slices.Sort(sorted)
	for i := range sorted {
		if i > 0 && sorted[i]-sorted[i-1] < endRow-1e-9 {
			t.Errorf("names %v apart, expected %v", sorted[i]-sorted[i-1], endRow)
		}
		if math.Abs(float64(at[i]-places[i])) > float64(endAway) {
			t.Errorf("a name is %v from its line", at[i]-places[i])
		}
	}
	if legend, _ := f.explained(); len(legend) != 0 {
		t.Errorf("the legend has %d names that stand at lines", len(legend))
	}
	svg, _ := f.Render("svg")
	for i := range 6 {
		if n := bytes.Count(svg, fmt.Appendf(nil, ">p%d<", i)); n != 1 {
			t.Errorf("p%d stands %d times", i, n)
		}
	}
	same := rising(6, "p%d")
	for i := range same {
		same[i].Y[2] = 6
	}
	short := rising(3, "p%d")
	short[1].X[2] = 1.5
	for name, s := range map[string][]Series{"long names": rising(3, "a policy with a long name, number %d"),
		"one end": same, "a line that ends before": short, "one line": rising(1, "p%d")} {
		f := draw(s)
		if _, ok := f.direct(); ok {
			t.Errorf("%s: names stand at the lines", name)
		}
		if legend, _ := f.explained(); len(legend) != len(s) {
			t.Errorf("%s: %d names in the legend", name, len(legend))
		}
	}
}

// Of many lines eight have colours, the others are counted, and the table has all.
func TestManyLines(t *testing.T) {
	f, err := Lines("", Axis{}, Axis{}, rising(11, "p%d"))
	if err != nil {
		t.Fatal(err)
	}
	_, note := f.explained()
	if len(f.legend) != mostLines || !strings.Contains(note, "3 more lines are grey") || len(f.Rows) != 33 {
		t.Errorf("%d names, note %q, %d rows", len(f.legend), note, len(f.Rows))
	}
	var samples []Sample
	for i := range 9 {
		samples = append(samples, Sample{Name: fmt.Sprint(i), Values: []float64{1, 2, 3}})
	}
	f, err = CDF("", Axis{}, samples)
	if err != nil {
		t.Fatal(err)
	}
	if _, note = f.explained(); len(f.legend) != mostLines || !strings.Contains(note, "1 more line is grey") ||
		f.Rows[len(f.Rows)-1][0] != "8" || f.legend[0].name != "0" {
		t.Errorf("CDF: %d names, note %q", len(f.legend), note)
	}
}

// A value of 0 on a logarithmic axis is drawn at the edge, counted in the note, and in the table.
func TestZerosOnALogarithmicAxis(t *testing.T) {
	triangles := func(f *Figure) int {
		svg, err := f.Render("svg")
		if err != nil {
			t.Fatal(err)
		}
		return len(regexp.MustCompile(`d="M[^L"]*L[^L"]*L[^L"]*Z" style="fill:#`).FindAll(svg, -1))
	}
	one := []Series{{Name: "a", X: []float64{0, 1, 2}, Y: []float64{0, 10, 100}},
		{Name: "b", X: []float64{0, 1, 2}, Y: []float64{5, 0, 500}}}
	y := Axis{Log: true}
	groups := []string{"g", "h", "i"}
	for name, draw := range map[string]func(s []Series) (*Figure, error){
		"lines":  func(s []Series) (*Figure, error) { return Lines("", Axis{}, y, s) },
		"dots":   func(s []Series) (*Figure, error) { return Dots("", y, groups, s) },
		"forest": func(s []Series) (*Figure, error) { return Forest("", y, groups, s) },
	} {
		with, err := draw(one)
		if err != nil {
			t.Fatal(err)
		}
		full := slices.Clone(one)
		full[0].Y, full[1].Y = []float64{20, 10, 100}, []float64{5, 30, 500}
		without, err := draw(full)
		if err != nil {
			t.Fatal(err)
		}
		_, note := with.explained()
		if got := triangles(with) - triangles(without); !strings.Contains(note, "The 2 triangles") || got != 2 {
			t.Errorf("%s: %d triangles, note %q", name, got, note)
		}
		if _, note = without.explained(); strings.Contains(note, "triangle") {
			t.Errorf("%s without zeros: %q", name, note)
		}
	}
	f, err := CDF("", Axis{Log: true}, []Sample{{Name: "a", Values: []float64{0, 0, 5, 10}},
		{Name: "b", Values: []float64{1, 2}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, note := f.explained(); !strings.Contains(note, "share of values of 0") || f.shares != 1 {
		t.Errorf("CDF: %d lines begin with zeros, note %q", f.shares, note)
	}
}

// A band that leaves the frame ends in an arrow, once for each stretch.
func TestArrowsOfBands(t *testing.T) {
	s := rising(2, "p%d")
	strokes := func() int {
		f, err := Lines("", Axis{}, Axis{}, s)
		if err != nil {
			t.Fatal(err)
		}
		svg, _ := f.Render("svg")
		return bytes.Count(svg, []byte("fill:none"))
	}
	before := strokes()
	if s[1].Hi[1] = 1e6; strokes() != before+1 {
		t.Errorf("%d strokes, before %d", strokes(), before)
	}
	if s[1].Hi[2] = 1e6; strokes() != before+1 {
		t.Errorf("two neighbours: %d strokes, before %d", strokes(), before)
	}
}

// Panels have one range along both axes.
func TestPanelsShareAxes(t *testing.T) {
	var panels []Panel
	for i := range 2 {
		s := rising(2, "p%d")
		s[0].X = []float64{0, 1, float64(3 + i)}
		f, err := Lines("", Axis{}, Axis{}, s)
		if err != nil {
			t.Fatal(err)
		}
		panels = append(panels, Panel{[]string{fmt.Sprint(i)}, f})
	}
	f, err := Facets("", []string{"a"}, panels)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range f.panels {
		if p.plot.X.Min != 0 || p.plot.X.Max != 4 {
			t.Errorf("x from %v to %v, expected 0 to 4", p.plot.X.Min, p.plot.X.Max)
		}
	}
}
