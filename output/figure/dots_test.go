package figure

import (
	"bytes"
	"math"
	"testing"
)

// On a logarithmic axis what is not above 0 has no place, and an interval that nearly reaches 0
// does not flatten the rest.
func TestDotsRange(t *testing.T) {
	s := []Series{{Name: "a", Y: []float64{1, 100}, Lo: []float64{1e-9, 90}, Hi: []float64{2, 200}},
		{Name: "b", Y: []float64{0, math.NaN()}}}
	_, xmax, ymin, ymax := dots{series: s, log: true}.DataRange()
	if xmax != 1.5 || math.Abs(ymin-1/3.0/1.15) > 1e-12 || math.Abs(ymax-230) > 1e-9 {
		t.Errorf("x to %v, y from %v to %v", xmax, ymin, ymax)
	}
	if _, _, ymin, ymax = (dots{series: s}).DataRange(); ymin != -10 || ymax != 210 {
		t.Errorf("linear: y from %v to %v, want -10 to 210", ymin, ymax)
	}
}

// A band that reaches below 0 is drawn down to the floor of a logarithmic axis, and the data keeps
// the true end.
func TestBandsOnLogAxes(t *testing.T) {
	f, err := Lines("", Axis{}, Axis{Log: true}, []Series{{Name: "a", X: []float64{1, 2}, Y: []float64{3, 30},
		Lo: []float64{-5, 20}, Hi: []float64{9, 40}}})
	if err != nil {
		t.Fatal(err)
	}
	if f.plot.Y.Min != 1 || f.plot.Y.Max != 40 || f.Rows[0][3] != "-5" {
		t.Errorf("y from %v to %v, the row says %s; want 1 to 40 and -5", f.plot.Y.Min, f.plot.Y.Max, f.Rows[0][3])
	}
}

// Every text of an SVG names fonts that other systems have.
func TestSVGFonts(t *testing.T) {
	svg, err := samples(t)["dots"].Render("svg")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(svg, []byte("font-family")); n == 0 || n != bytes.Count(svg, []byte(svgFonts)) {
		t.Errorf("%d texts, of which %d name the fonts", n, bytes.Count(svg, []byte(svgFonts)))
	}
	if n, of := bytes.Count(svg, []byte("textLength=")), bytes.Count(svg, []byte("</text>")); n != of {
		t.Errorf("%d of %d texts state their width", n, of)
	}
}
