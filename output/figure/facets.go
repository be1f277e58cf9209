package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Panel is a part of a figure: the same picture of other rows.
type Panel struct {
	// Values are the values of the axes that panels differ in.
	Values []string
	*Figure
}

// The most panels side by side, and the height of one in inches.
const (
	panelColumns = 3
	panelHeight  = 1.7
)

// Facets draws figures of one kind as panels side by side, with one legend and equal axes. axes
// names what they differ in: it stands above each panel with the panel's values, and in columns
// before the panels' columns. One panel is the figure itself. Panels of different columns or with
// too few values are an error.
func Facets(title string, axes []string, panels []Panel) (*Figure, error) {
	if len(panels) == 0 {
		return nil, fmt.Errorf("figure: %q: no panel", title)
	}
	if len(panels) == 1 && len(axes) == 0 {
		return panels[0].Figure, nil
	}
	first := panels[0].Figure
	f := newFigure(title, Axis{}, Axis{})
	f.xLabel, f.yLabel, f.bar = first.xLabel, first.yLabel, first.bar
	f.Header = append(slices.Clone(axes), first.Header...)
	for _, p := range panels {
		if len(p.Values) != len(axes) || !slices.Equal(p.Header, first.Header) {
			return nil, fmt.Errorf("figure: %q: a panel has the values %q and the columns %q, want %q and %q",
				title, p.Values, p.Header, axes, first.Header)
		}
		for _, row := range p.Rows {
			f.Rows = append(f.Rows, append(slices.Clone(p.Values), row...))
		}
		for _, e := range p.legend {
			if !slices.ContainsFunc(f.legend, func(have legendEntry) bool { return have.name == e.name }) {
				f.legend = append(f.legend, e)
			}
		}
	}
	aligned(axes, panels)
	f.panels = slices.Clone(panels)
	columns := min(len(panels), panelColumns)
	if len(panels) == 4 {
		columns = 2
	}
	if columns > 1 {
		f.Width = 2*columnWidth + 0.2
	}
	rows := (len(panels) + columns - 1) / columns
	f.Height = panelHeight * float64(rows)
	return f, nil
}

// aligned gives panels their own small titles, and axes of one range.
func aligned(axes []string, panels []Panel) {
	lo, hi := math.Inf(1), math.Inf(-1)
	left, right := math.Inf(1), math.Inf(-1)
	for _, p := range panels {
		lo, hi = min(lo, p.plot.Y.Min), max(hi, p.plot.Y.Max)
		left, right = min(left, p.plot.X.Min), max(right, p.plot.X.Max)
	}
	for _, one := range panels {
		if lo < hi {
			one.plot.Y.Min, one.plot.Y.Max = lo, hi
		}
		if left < right {
			one.plot.X.Min, one.plot.X.Max = left, right
		}
		one.title, one.ends = "", nil
		for k, a := range axes {
			if k > 0 {
				one.title += ", "
			}
			one.title += a + "=" + one.Values[k]
		}
	}
}

// drawPanels draws the panels row by row. Those at the left have the label of the y axis, panels at
// the bottom the label of the x axis.
func (f *Figure) drawPanels(c draw.Canvas) {
	columns := min(len(f.panels), panelColumns)
	if len(f.panels) == 4 {
		columns = 2
	}
	rows := (len(f.panels) + columns - 1) / columns
	const gap = vg.Length(8)
	width := (c.Size().X - gap*vg.Length(columns-1)) / vg.Length(columns)
	height := c.Size().Y / vg.Length(rows)
	style := align(textStyle(smallPt, color.Black), draw.XCenter, draw.YTop)
	for i, p := range f.panels {
		row, column := i/columns, i%columns
		tile := draw.Crop(c, (width+gap)*vg.Length(column), -(width+gap)*vg.Length(columns-1-column),
			height*vg.Length(rows-1-row), -height*vg.Length(row))
		one := *p.Figure
		*one.straight = *f.straight
		if column > 0 {
			one.yLabel = ""
		}
		if i+columns < len(f.panels) {
			one.xLabel = ""
		}
		for k, line := range wrap(one.title, func(s string) bool { return style.Width(s) <= width }) {
			if k < 2 {
				tile.FillText(style, vg.Point{X: tile.Center().X, Y: tile.Max.Y}, line)
				tile = draw.Crop(tile, 0, 0, 0, -noteRow)
			}
		}
		one.drawPlot(tile)
	}
}

// Column puts a column with one value for all rows before the others: what the table beside the
// picture must not be read without.
func (f *Figure) Column(name, value string) {
	f.Header = append([]string{name}, f.Header...)
	for i, row := range f.Rows {
		f.Rows[i] = append([]string{value}, row...)
	}
}
