package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
)

// Sample is a named set of values, such as the completion times under one policy.
type Sample struct {
	// Name is in the legend.
	Name string
	// Values in any order; numbers that are not finite are left out.
	Values []float64
	// Look is as in Series.
	Look int
}

// maxSteps bounds the points drawn per curve: a picture shows no more.
const maxSteps = 300

// CDF is CDFOf of jobs.
func CDF(title string, x Axis, samples []Sample) (*Figure, error) {
	return CDFOf("jobs", title, x, samples)
}

// CDFOf draws the cumulative distribution of each sample of what is counted, as steps where they can be
// seen. On a logarithmic axis values <= 0 lie at the left edge: the curve starts at their share, with a
// triangle. Lines beyond the eighth are grey, as in Lines.
func CDFOf(what, title string, x Axis, samples []Sample) (*Figure, error) {
	y := Axis{Label: "fraction of " + what, Max: 1.02}
	f := newFigure(title, x, y)
	f.grid()
	f.Header = []string{"series", "value", "fraction"}
	edge := math.Inf(1)
	names := make([]Series, len(samples))
	for i, s := range samples {
		names[i] = Series{Name: s.Name, Look: s.Look}
	}
	look := looks(names)
	sorted := make([][]float64, len(samples))
	for i, s := range samples {
		for _, v := range s.Values {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				sorted[i] = append(sorted[i], v)
				if v > 0 || !x.Log {
					edge = min(edge, v)
				}
			}
		}
		slices.Sort(sorted[i])
	}
	if math.IsInf(edge, 1) {
		return nil, fmt.Errorf("figure: CDF %q: no value to draw in %d series", title, len(samples))
	}
	if x.Log && x.Min > 0 {
		edge = min(edge, x.Min)
	}
	for i, s := range samples {
		if len(sorted[i]) > 0 {
			for _, p := range steps(sorted[i], edge) {
				f.row(s.Name, p.X, p.Y)
			}
		}
	}
	for _, i := range below(len(samples)) {
		if len(sorted[i]) == 0 {
			continue
		}
		if err := f.curve(i, samples[i].Name, sorted[i], edge, look[i], x.Log); err != nil {
			return nil, fmt.Errorf("figure: CDF %q: series %q: %w", title, samples[i].Name, err)
		}
	}
	if f.plot.X.Min == f.plot.X.Max { // one value: a range around it
		f.plot.X.Min, f.plot.X.Max = f.plot.X.Min/2, f.plot.X.Max*2+1
	}
	f.fix(x, y)
	return f, nil
}

// curve draws the i-th distribution.
func (f *Figure) curve(i int, name string, sorted []float64, edge float64, look int, log bool) error {
	line, err := plotter.NewLine(steps(sorted, edge))
	if err != nil {
		return err
	}
	if line.LineStyle = lineStyle(look); i >= mostLines {
		line.LineStyle = greyLine()
	}
	if len(sorted) <= maxSteps { // steps finer than a pixel only fray the dashes
		line.StepStyle = plotter.PostStep
	}
	if f.plot.Add(line); i >= mostLines {
		f.grey++
		return nil
	}
	f.legend = append(f.legend, legendEntry{name: name, line: lineStyle(look)})
	if none, _ := slices.BinarySearch(sorted, math.SmallestNonzeroFloat64); log && none > 0 {
		share := Series{Y: []float64{float64(none) / float64(len(sorted))}}
		f.plot.Add(f.edges(share, func(int) float64 { return 0 }, true, false, paint(look)))
		f.beyond, f.shares = 0, f.shares+1
	}
	return nil
}

// steps gives the corners of the curve from the left edge; thinned by rank when there
// are many, always with the last.
func steps(sorted []float64, edge float64) plotter.XYs {
	n := len(sorted)
	pts := plotter.XYs{{X: edge, Y: 0}}
	stride := max(1, float64(n)/maxSteps)
	for k := 1.0; ; k++ {
		i := min(n, int(math.Round(k*stride)))
		p := plotter.XY{X: max(sorted[i-1], edge), Y: float64(i) / float64(n)}
		if last := &pts[len(pts)-1]; last.X == p.X {
			*last = p // one step per value
		} else {
			pts = append(pts, p)
		}
		if i == n {
			return pts
		}
	}
}

// grid draws light lines; it comes first, so that the data lies over it.
func (f *Figure) grid() {
	g := plotter.NewGrid()
	g.Vertical, g.Horizontal = thin(0xDD), thin(0xDD)
	f.plot.Add(g)
}
