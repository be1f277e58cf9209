package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Block is a stretch of time on adjacent GPUs.
type Block struct {
	// Start and End in the unit of the time axis.
	Start, End float64
	// GPU is the first one, from 0, and Count how many.
	GPU, Count int
	// Kind chooses the colour and is in the legend: a level of placement, a model.
	Kind string
	// Label is written into the block where it fits: the job.
	Label string
}

// Occupancy draws who holds which GPU when: time along x, all GPUs of a cluster along y, the first
// at the bottom. kinds gives the order of the colours; a kind that is not there comes after them.
// What is white is idle.
func Occupancy(title string, x Axis, gpus int, kinds []string, blocks []Block) (*Figure, error) {
	f := newFigure(title, x, Axis{Label: "GPU"})
	f.Header = []string{"start", "end", "gpu", "count", "kind", "label"}
	if len(blocks) == 0 {
		return nil, fmt.Errorf("figure: occupancy %q: no block", title)
	}
	o := occupancy{gpus: gpus, blocks: blocks, kinds: slices.Clone(kinds)}
	for _, b := range blocks {
		if !(b.End >= b.Start) || math.IsInf(b.Start, 0) || math.IsInf(b.End, 0) || b.GPU < 0 || b.Count < 1 ||
			b.GPU+b.Count > gpus {
			return nil, fmt.Errorf("figure: occupancy %q: block %q from %v to %v on %d GPUs from %d, of %d GPUs",
				title, b.Label, b.Start, b.End, b.Count, b.GPU, gpus)
		}
		if !slices.Contains(o.kinds, b.Kind) {
			o.kinds = append(o.kinds, b.Kind)
		}
		f.row(b.Start, b.End, b.GPU, b.Count, b.Kind, b.Label)
	}
	f.Height = min(2.8, 1+0.05*float64(gpus))
	f.plot.Add(o)
	f.plot.Y.Tick.Marker = eights{}
	for i, k := range o.kinds {
		if slices.ContainsFunc(blocks, func(b Block) bool { return b.Kind == k }) {
			f.legend = append(f.legend, legendEntry{name: k, line: draw.LineStyle{Color: kindColour(i)}, filled: true})
		}
	}
	f.fix(x, Axis{})
	return f, nil
}

type occupancy struct {
	gpus   int
	kinds  []string
	blocks []Block
}

// Plot implements plot.Plotter.
func (o occupancy) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for _, b := range o.blocks {
		x0, x1 := tx(max(b.Start, p.X.Min)), tx(min(b.End, p.X.Max))
		if x1 < x0 {
			continue
		}
		y0, y1 := ty(float64(b.GPU)), ty(float64(b.GPU+b.Count))
		fill := kindColour(slices.Index(o.kinds, b.Kind))
		box := []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
		c.FillPolygon(fill, box)
		if edge := vg.Points(0.25); x1-x0 > 4*edge && y1-y0 > 4*edge {
			c.StrokeLines(draw.LineStyle{Color: color.White, Width: edge}, append(box, box[0]))
		}
		ink := color.Gray{0}
		if luminance(fill) < 0.5 {
			ink = color.Gray{255}
		}
		style := textStyle(smallPt-2, ink)
		if style.Width(b.Label)+1 < x1-x0 && y1-y0 > smallPt-2 {
			c.FillText(style, vg.Point{X: (x0 + x1) / 2, Y: (y0 + y1) / 2}, b.Label)
		}
	}
}

// DataRange implements plot.DataRanger.
func (o occupancy) DataRange() (xmin, xmax, ymin, ymax float64) {
	first := slices.MinFunc(o.blocks, func(a, b Block) int { return cmp.Compare(a.Start, b.Start) })
	last := slices.MaxFunc(o.blocks, func(a, b Block) int { return cmp.Compare(a.End, b.End) })
	return first.Start, last.End, 0, float64(o.gpus)
}

// eights puts ticks at multiples of 8 GPUs, or of 16, 32, ... where those would be too many.
type eights struct{}

// Ticks implements plot.Ticker.
func (eights) Ticks(lo, hi float64) []plot.Tick {
	step := 8.0
	for hi/step > 8 {
		step *= 2
	}
	var ticks []plot.Tick
	for v := 0.0; v <= hi; v += step {
		ticks = append(ticks, plot.Tick{Value: v, Label: short(v)})
	}
	return ticks
}
