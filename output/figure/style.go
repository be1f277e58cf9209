package figure

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tarry/internal/legible"
)

const (
	smallPt = 7 // ticks, legend, labels inside the plot
	textPt  = 8 // axis labels and title
)

// paint is the colour of an appearance.
func paint(number int) color.RGBA { return Palette()[number%Colours] }

// kindColour is the colour of the i-th kind of a list without names of policies; the second twelve
// are pale, the third dark.
func kindColour(i int) color.RGBA {
	c := Palette()[i%Colours]
	switch i / Colours % 3 {
	case 1:
		return pale(c, 0.45)
	case 2:
		return color.RGBA{c.R / 2, c.G / 2, c.B / 2, c.A}
	}
	return c
}

// dashes of an appearance: solid first.
func dashes(number int) []vg.Length {
	patterns := [Patterns][]vg.Length{nil, {4, 2}, {1, 1.5}, {6, 1.5, 1, 1.5}, {2, 1}}
	return patterns[number%Patterns]
}

// shape of an appearance's points.
func shape(number int) draw.GlyphDrawer {
	shapes := [Patterns]draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{},
		draw.RingGlyph{}}
	return shapes[number%Patterns]
}

func lineStyle(number int) draw.LineStyle {
	return draw.LineStyle{Color: paint(number), Width: vg.Points(1.2), Dashes: dashes(number)}
}

func thin(grey uint8) draw.LineStyle {
	return draw.LineStyle{Color: color.Gray{grey}, Width: vg.Points(0.5)}
}

// pale is the mix of a colour with white.
func pale(c color.RGBA, share float64) color.RGBA {
	mix := func(v uint8) uint8 { return uint8(float64(float64(v)*share) + float64(255*(1-share))) }
	return color.RGBA{mix(c.R), mix(c.G), mix(c.B), 0xFF}
}

// faded is a colour for bands: see-through, so that a band does not hide those below it. The PDF
// writer takes premultiplied colours for straight ones and would draw them nearly black.
type faded struct {
	color.NRGBA
	f *Figure
}

// RGBA implements color.Color.
func (c faded) RGBA() (r, g, b, a uint32) {
	r, g, b, a = c.NRGBA.RGBA()
	if *c.f.straight {
		r, g, b = uint32(c.R)*0x101, uint32(c.G)*0x101, uint32(c.B)*0x101
	}
	return r, g, b, a
}

// shown draws texts as legible.Text gives them: names of others may hold marks that turn the
// direction of a text, or that an SVG may not hold.
type shown struct{ text.Plain }

// Lines implements text.Handler.
func (s shown) Lines(txt string) []string { return s.Plain.Lines(legible.Text(txt)) }

// Box implements text.Handler.
func (s shown) Box(txt string, fnt font.Font) (width, height, depth vg.Length) {
	return s.Plain.Box(legible.Text(txt), fnt)
}

// Draw implements text.Handler.
func (s shown) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	s.Plain.Draw(c, legible.Text(txt), sty, pt)
}

func textStyle(size vg.Length, c color.Color) draw.TextStyle {
	return draw.TextStyle{
		Color: c, Font: font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size),
		Handler: shown{text.Plain{Fonts: font.DefaultCache}}, XAlign: draw.XCenter, YAlign: draw.YCenter,
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
