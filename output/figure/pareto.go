package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Cloud is a named list of points with an interval in both directions: X and Y are their places, Lo
// and Hi the ends along y.
type Cloud struct {
	Series
	// XLo and XHi are the ends along x; nil or NaN = none.
	XLo, XHi []float64
	// Points are the names beside the points, and the cloud's is in the legend; nil = the cloud's name
	// stands beside each of them.
	Points []string
}

// mostNamed is how many points have names beside them; of more, the front alone has.
const mostNamed = 24

// Front reports of each point whether none is at most as large in both directions and smaller in
// one. Equal points are in the front together; a point without a finite number in a direction is
// not, and keeps no other out.
func Front(x, y []float64) []bool {
	out := make([]bool, len(x))
	for i := range x {
		out[i] = fits(x[i], false) && fits(y[i], false)
		for k := range x {
			if fits(x[k], false) && fits(y[k], false) && x[k] <= x[i] && y[k] <= y[i] && (x[k] < x[i] || y[k] < y[i]) {
				out[i] = false
			}
		}
	}
	return out
}

// Pareto draws points over two quantities of which less is better, with bars for both intervals and
// a stair through the front: what is above and right of the stair is worse in both than a point of
// it. Other points are pale. Names stand beside points, not over each other.
func Pareto(title string, x, y Axis, clouds []Cloud) (*Figure, error) {
	m, err := scattered(title, x, y, clouds)
	if err != nil {
		return nil, fmt.Errorf("figure: pareto %q: %w", title, err)
	}
	return m.f, nil
}

// scattered makes the figure of Pareto, whose plotter it gives.
func scattered(title string, x, y Axis, clouds []Cloud) (*scatter, error) {
	f := newFigure(title, x, y)
	f.Height = 2.6
	f.grid()
	series := make([]Series, len(clouds))
	for i, c := range clouds {
		n := len(c.X)
		err := c.check(n)
		if err == nil {
			err = Series{Name: c.Name, Y: c.X, Lo: c.XLo, Hi: c.XHi}.check(n)
		}
		if err == nil && c.Points != nil && len(c.Points) != n {
			err = fmt.Errorf("series %q has %d names of points, want %d", c.Name, len(c.Points), n)
		}
		if err != nil {
			return nil, err
		}
		series[i] = c.Series
	}
	m := &scatter{f: f, logX: x.Log, logY: y.Log}
	look := looks(series)
	for i, c := range clouds {
		m.add(&c, look[i])
	}
	m.settle()
	f.cloudRows(clouds, m)
	if len(m.spots) == 0 {
		return nil, fmt.Errorf("no point to draw in %d series", len(clouds))
	}
	f.mark(y)
	f.plot.Add(m)
	f.fix(x, y)
	return m, nil
}

// cloudRows writes the data; the last column is true of points of the front.
func (f *Figure) cloudRows(clouds []Cloud, m *scatter) {
	f.Header = []string{"series", "point", "x", "x_lo", "x_hi", "y", "lo", "hi", "front"}
	series := make([]Series, len(clouds))
	for i, c := range clouds {
		series[i] = c.Series
	}
	n := counted(series)
	if n {
		f.Header = append(f.Header, "n")
	}
	for k, c := range clouds {
		for i := range c.X {
			name := c.Name
			if c.Points != nil {
				name = c.Points[i]
			}
			left, right, _ := c.along().bounds(i)
			lo, hi, _ := c.bounds(i)
			front := slices.ContainsFunc(m.spots, func(s spot) bool { return s.of == [2]int{k, i} && s.front })
			f.row(c.count([]any{c.Name, name, c.X[i], left, right, c.Y[i], lo, hi, front}, i, n)...)
		}
	}
}

// along is the cloud's places along x as values.
func (c *Cloud) along() Series { return Series{Name: c.Name, Y: c.X, Lo: c.XLo, Hi: c.XHi} }

// spot is a point with its name.
type spot struct {
	of       [2]int // cloud and point
	name     string // "" = none
	x, y     float64
	hasX     bool // an interval along x
	hasY     bool
	xlo, xhi float64
	ylo, yhi float64
	look     int
	front    bool
}

// scatter is the plotter of a Pareto figure.
type scatter struct {
	f          *Figure
	logX, logY bool
	clouds     int
	across, up []Series // places along x and y, for the ranges
	spots      []spot
}

// add takes the points of a cloud that the axes have places for.
func (m *scatter) add(c *Cloud, look int) {
	x := c.along()
	for i := range c.X {
		if !fits(c.X[i], m.logX) || !fits(c.Y[i], m.logY) {
			continue // beyond a logarithmic axis: see edges
		}
		s := spot{of: [2]int{m.clouds, i}, name: c.Name, x: c.X[i], y: c.Y[i], look: look}
		if c.Points != nil {
			s.name = c.Points[i]
		}
		s.xlo, s.xhi, s.hasX = x.bounds(i)
		s.ylo, s.yhi, s.hasY = c.bounds(i)
		m.spots = append(m.spots, s)
	}
	if at := m.f.edges(c.Series, func(i int) float64 { return c.X[i] }, m.logX, m.logY, paint(look)); at != nil {
		m.f.plot.Add(at)
	}
	if c.Points != nil {
		m.f.legend = append(m.f.legend, legendEntry{name: c.Name, line: lineStyle(look), shape: shape(look)})
	}
	m.across, m.up = append(m.across, x), append(m.up, c.Series)
	m.clouds++
}

// settle finds the front, the names and whether an interval is cut.
func (m *scatter) settle() {
	var x, y []float64
	for _, s := range m.spots {
		x, y = append(x, s.x), append(y, s.y)
	}
	for i, in := range Front(x, y) {
		m.spots[i].front = in
	}
	for i := range m.spots {
		if s := &m.spots[i]; len(m.spots) > mostNamed && !s.front {
			s.name = ""
		} else if !slices.Contains(m.f.names(), s.name) {
			m.f.named = append(m.f.named, s.name)
		}
	}
	if len(m.spots) > mostNamed {
		m.f.Note = "Names stand at points of the front alone."
	}
	m.f.cut = spanOf(m.across, m.logX, false).cut || spanOf(m.up, m.logY, false).cut
}

// steps are the corners of the front in the order of x.
func (m *scatter) steps() []spot {
	var out []spot
	for _, s := range m.spots {
		if s.front {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b spot) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return 0
	})
	return out
}

// stair gives the line through the front from the upper edge to the right one.
func (m *scatter) stair(c draw.Canvas, p *plot.Plot) []vg.Point {
	tx, ty := p.Transforms(&c)
	var line []vg.Point
	last := c.Max.Y
	for _, s := range m.steps() {
		x, y := tx(s.x), ty(s.y)
		line = append(line, vg.Point{X: x, Y: last}, vg.Point{X: x, Y: y})
		last = y
	}
	return append(line, vg.Point{X: c.Max.X, Y: last})
}

// Plot implements plot.Plotter: the stair below the bars, points and names above.
func (m *scatter) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	c.StrokeLines(draw.LineStyle{Color: color.Gray{0x70}, Width: vg.Points(0.8), Dashes: []vg.Length{3, 1.5}},
		c.ClipLinesXY(m.stair(c, p))...)
	for _, front := range []bool{false, true} {
		for _, s := range m.spots {
			if s.front != front {
				continue
			}
			ink := m.ink(s)
			if s.hasX {
				sideBar(c, p, ty(s.y), s.xlo, s.xhi, ink)
			}
			if s.hasY {
				errorBar(c, p, tx(s.x), s.ylo, s.yhi, 1.5, ink)
			}
		}
	}
	for _, front := range []bool{false, true} {
		for _, s := range m.spots {
			if s.front == front {
				c.DrawGlyph(draw.GlyphStyle{Color: m.ink(s), Radius: spotSize, Shape: shape(s.look)},
					vg.Point{X: tx(s.x), Y: ty(s.y)})
			}
		}
	}
	m.drawNames(c, p)
}

// spotSize is the radius of a point.
const spotSize = vg.Length(2.4)

// ink is the colour of a point: pale where another is better in both directions.
func (m *scatter) ink(s spot) color.RGBA {
	if s.front {
		return paint(s.look)
	}
	return pale(paint(s.look), 0.5)
}

// DataRange implements plot.DataRanger.
func (m *scatter) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = roomy(spanOf(m.across, m.logX, false), m.logX)
	ymin, ymax = roomy(spanOf(m.up, m.logY, false), m.logY)
	return xmin, xmax, ymin, ymax
}

// roomy is a range with room on both sides.
func roomy(s span, log bool) (lo, hi float64) {
	if log {
		return s.lo / 1.15, s.hi * 1.15
	}
	room := float64(0.08 * (s.hi - s.lo))
	if s.lo == s.hi {
		room = max(math.Abs(s.lo)/10, math.SmallestNonzeroFloat64)
	}
	if lo = s.lo - room; s.lo >= 0 {
		lo = max(lo, 0)
	}
	return lo, s.hi + room
}
