package figure

import (
	"bytes"
	"fmt"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgtex"

	"tarry/internal/legible"
	"tarry/sim/param"
)

// Style states for what place pictures are made.
type Style string

// The styles. Screen is as figures are made; Paper fills one column of 3.3 inches with text of 8
// points; Talk has text of 20 points on 7 inches.
const (
	Screen Style = "screen"
	Paper  Style = "paper"
	Talk   Style = "talk"
)

// Styles lists the styles, the default first.
func Styles() []string { return []string{string(Screen), string(Paper), string(Talk)} }

// ParseStyle finds a style.
func ParseStyle(name string) (Style, error) {
	for _, s := range Styles() {
		if s == name {
			return Style(s), nil
		}
	}
	return "", fmt.Errorf("style %q, expected %s%s", name, strings.Join(Styles(), ", "), param.Hint(name, Styles()))
}

// Formats are the formats that a style is saved in by default.
func (s Style) Formats() []string {
	if s == Paper {
		return []string{"pdf", "pgf"}
	}
	return Formats()
}

// SetStyle gives a figure the width and the size of texts of a style. It is called once, after all
// names are there.
func (f *Figure) SetStyle(s Style) {
	column, text := columnWidth, 1.0
	switch s {
	case Paper:
		column, text = 3.3, 8.0/smallPt
	case Talk:
		column, text = 7, 20.0/smallPt
	}
	f.scale = text
	f.resize(column / columnWidth / text)
}

// resize changes the width before the picture is scaled; what stands in it gets new places.
func (f *Figure) resize(by float64) {
	f.Width *= by
	for _, p := range f.panels {
		p.resize(by)
	}
	if f.replace != nil {
		f.replace()
	}
}

// scaled draws the figure on a canvas that is larger than its layout by its scale.
func (f *Figure) scaled(c vg.Canvas, w, h vg.Length) {
	if f.scale != 1 {
		c.Scale(f.scale, f.scale)
	}
	f.draw(draw.NewCanvas(c, w, h))
}

// pgf writes the figure for LaTeX: \usepackage{pgf} and \input{NAME.pgf}. Texts are in the font of
// the document.
func (f *Figure) pgf(w, h vg.Length) ([]byte, error) {
	scale := vg.Length(f.scale)
	c := texCanvas{vgtex.New(w*scale, h*scale)}
	*f.straight = true
	f.scaled(c, w, h)
	*f.straight = false
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		return nil, err
	}
	out := buf.Bytes()
	for _, r := range [...][2]string{
		{`\pgflineto`, `\pgfpathlineto`}, {`\pgfcurveto`, `\pgfpathcurveto`}, {"% path-close", `\pgfpathclose`},
		{"pt}", "bp}"}, // a point is 1/72 inch here
	} {
		out = bytes.ReplaceAll(out, []byte(r[0]), []byte(r[1]))
	}
	return out, nil
}

// texCanvas writes texts so that LaTeX shows them as they are.
type texCanvas struct{ *vgtex.Canvas }

// FillString implements vg.Canvas.
func (c texCanvas) FillString(f font.Face, pt vg.Point, text string) {
	shown := texEscape().Replace(legible.Text(text))
	pt.X += 0.5 * (f.Width(text) - f.Width(shown)) // the canvas centres what it is given
	c.Canvas.FillString(f, pt, shown)
}

func texEscape() *strings.Replacer {
	return strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`,
		"_", `\_`, "^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "<", `\textless{}`, ">", `\textgreater{}`, "|",
		`\textbar{}`, `"`, `\textquotedbl{}`)
}
