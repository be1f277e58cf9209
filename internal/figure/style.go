package figure

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	smallPt = 7 // ticks, legend, labels inside the plot
	textPt  = 8 // axis labels and title
)

// okabeIto are the eight colours of Okabe and Ito (2008) without yellow, which is hard
// to see on white; in an order that keeps neighbours apart. The second seven are the same
// in pale and the third in dark, so that 20 bars differ.
func okabeIto(i int) color.RGBA {
	colours := [...]color.RGBA{
		{0x00, 0x72, 0xB2, 0xFF}, // blue
		{0xD5, 0x5E, 0x00, 0xFF}, // vermillion
		{0x00, 0x9E, 0x73, 0xFF}, // bluish green
		{0xCC, 0x79, 0xA7, 0xFF}, // reddish purple
		{0xE6, 0x9F, 0x00, 0xFF}, // orange
		{0x56, 0xB4, 0xE9, 0xFF}, // sky blue
		{0x00, 0x00, 0x00, 0xFF}, // black
	}
	c := colours[i%len(colours)]
	switch i / len(colours) % 3 {
	case 1:
		return pale(c, 0.45)
	case 2:
		return color.RGBA{c.R / 2, c.G / 2, c.B / 2, c.A}
	}
	return c
}

// dashes of the i-th line: solid first. Seven colours and five dash patterns are
// prime to each other, so 35 lines differ.
func dashes(i int) []vg.Length {
	patterns := [...][]vg.Length{nil, {4, 2}, {1, 1.5}, {6, 1.5, 1, 1.5}, {2, 1}}
	return patterns[i%len(patterns)]
}

func lineStyle(i int) draw.LineStyle {
	return draw.LineStyle{Color: okabeIto(i), Width: vg.Points(1.2), Dashes: dashes(i)}
}

func thin(grey uint8) draw.LineStyle {
	return draw.LineStyle{Color: color.Gray{grey}, Width: vg.Points(0.5)}
}

// pale is the mix of a colour with white.
func pale(c color.RGBA, share float64) color.RGBA {
	mix := func(v uint8) uint8 { return uint8(float64(float64(v)*share) + float64(255*(1-share))) }
	return color.RGBA{mix(c.R), mix(c.G), mix(c.B), 0xFF}
}

// faded is a colour for bands: see-through, so that a band does not hide those below it. The PDF writer
// takes premultiplied colours for straight ones and would draw them nearly black.
type faded struct {
	color.NRGBA
	f *Figure
}

// RGBA implements color.Color.
func (c faded) RGBA() (r, g, b, a uint32) {
	r, g, b, a = c.NRGBA.RGBA()
	if c.f.straight {
		r, g, b = uint32(c.R)*0x101, uint32(c.G)*0x101, uint32(c.B)*0x101
	}
	return r, g, b, a
}

func textStyle(size vg.Length, c color.Color) draw.TextStyle {
	return draw.TextStyle{
		Color: c, Font: font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size),
		Handler: text.Plain{Fonts: font.DefaultCache}, XAlign: draw.XCenter, YAlign: draw.YCenter,
	}
}

// styled applies fonts and line widths to a plot.
func styled(p *plot.Plot) {
	p.BackgroundColor = color.White
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle, a.Tick.LineStyle, a.Tick.Length = thin(0), thin(0), vg.Points(3)
		a.Padding = vg.Points(2)
	}
	p.X.Tick.Label = align(textStyle(smallPt, color.Black), draw.XCenter, draw.YTop)
	p.Y.Tick.Label = align(textStyle(smallPt, color.Black), draw.XRight, draw.YCenter)
}

func align(s draw.TextStyle, x text.XAlignment, y text.YAlignment) draw.TextStyle {
	s.XAlign, s.YAlign = x, y
	return s
}
