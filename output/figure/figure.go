package figure

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image/color"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"tarry/output/results"
)

// Axis describes one axis.
type Axis struct {
	// Label names the quantity with its unit: "job completion time (s)".
	Label string
	// Log asks for a logarithmic scale; values must then be positive.
	Log bool
	// Min and Max fix the range; both 0 = the data's.
	Min, Max float64
	// Marks are values of the y axis at which a line is drawn: 1 of ratios, a baseline.
	Marks []Mark
}

// Mark is a value with a line across the picture.
type Mark struct {
	At float64
	// Name is in the legend; "" = it is not there.
	Name string
	// Look asks a Forest for the symbol of this look less 1 (Appearances) in the mark's row; 0 = the
	// row has the name alone.
	Look int
}

// Figure is a picture and the data behind it.
type Figure struct {
	// Width of the picture and Height of its plot with axes, in inches; may be changed before it is
	// drawn. Title, legend and note come on top.
	Width, Height float64
	// Note states below the plot what the numbers are over: how many units, which interval.
	Note string
	// Header and Rows are the table that Save writes beside the pictures.
	Header []string
	Rows   [][]string

	plot  *plot.Plot
	title string
	scale float64 // of the picture against its layout
	// straight is true while a PDF is drawn: see faded. Copies of a figure share it.
	straight *bool
	xLabel   string
	yLabel   string
	legend   []legendEntry
	bar      *colourBar // nil = none
	panels   []Panel    // nil = one plot
	cut      bool       // an interval ends beyond the y axis
	ends     []end      // of lines, where names may stand
	grey     int        // lines without a name
	beyond   int        // points that a logarithmic axis has no place for
	shares   int        // lines that begin with the share of such values
	// named are names that stand at rows, not in the legend; starred are names of either that get a
	// star behind them.
	named   []string
	listed  int // rows of a Forest
	starred []string
	// labelled are the names that names have in the picture instead.
	labelled map[string]string
	replace  func() // makes room for other names; nil = names take none
}

// columnWidth is one column of a two-column paper, in inches.
const columnWidth = 3.4

func newFigure(title string, x, y Axis) *Figure {
	p := plot.New()
	styled(p)
	for _, a := range []struct {
		axis *plot.Axis
		spec Axis
	}{{&p.X, x}, {&p.Y, y}} {
		a.axis.Tick.Marker = niceTicks{}
		if a.spec.Log {
			a.axis.Scale, a.axis.Tick.Marker = plot.LogScale{}, decades{}
		}
	}
	return &Figure{Width: columnWidth, Height: 2.15, plot: p, title: title, scale: 1, straight: new(bool), xLabel: x.Label,
		yLabel: y.Label}
}

// SetTitle writes above the picture.
func (f *Figure) SetTitle(title string) { f.title = title }

// SetXLabel writes below the groups of bars and points.
func (f *Figure) SetXLabel(label string) { f.xLabel = label }

// fix applies the ranges that the caller asked for, after the data set their own.
func (f *Figure) fix(x, y Axis) {
	for _, a := range []struct {
		axis *plot.Axis
		spec Axis
	}{{&f.plot.X, x}, {&f.plot.Y, y}} {
		if a.spec.Min != 0 || a.spec.Max != 0 {
			a.axis.Min, a.axis.Max = a.spec.Min, a.spec.Max
		}
	}
}

// row adds a row to the data: text as it is, numbers in full.
func (f *Figure) row(cells ...any) {
	out := make([]string, len(cells))
	for i, c := range cells {
		switch v := c.(type) {
		case float64:
			out[i] = strconv.FormatFloat(v, 'g', -1, 64)
		case string:
			out[i] = v
		default:
			out[i] = fmt.Sprint(v)
		}
	}
	f.Rows = append(f.Rows, out)
}

// Formats are the kinds of pictures that Save makes.
func Formats() []string { return []string{"png", "svg", "pdf"} }

// Render gives the picture as png, svg, pdf or pgf, or the data as "csv".
func (f *Figure) Render(format string) ([]byte, error) {
	w := vg.Length(f.Width) * vg.Inch
	h, scale := f.lay(w).height(), vg.Length(f.scale)
	var buf bytes.Buffer
	switch format {
	case "csv":
		c := csv.NewWriter(&buf)
		c.Write(f.Header)
		c.WriteAll(f.Rows) // a buffer takes everything
		return buf.Bytes(), c.Error()
	case "png":
		img := vgimg.NewWith(vgimg.UseWH(w*scale, h*scale), vgimg.UseDPI(300))
		f.scaled(img, w, h)
		_, err := vgimg.PngCanvas{Canvas: img}.WriteTo(&buf)
		return buf.Bytes(), err
	case "svg":
		svg := vgsvg.New(w*scale, h*scale)
		f.scaled(svg, w, h)
		_, err := svg.WriteTo(&buf)
		return withFonts(buf.Bytes()), err
	case "pdf":
		pdf := vgpdf.New(w*scale, h*scale)
		*f.straight = true
		f.scaled(pdf, w, h)
		*f.straight = false
		_, err := pdf.WriteTo(&buf)
		return undated(buf.Bytes()), err
	}
	if format == "pgf" {
		return f.pgf(w, h)
	}
	return nil, fmt.Errorf("figure: unknown format %q, want png, svg, pdf, pgf or csv", format)
}

// undated blanks the dates in a PDF: the same rows give the same bytes.
func undated(pdf []byte) []byte {
	for _, key := range []string{"/CreationDate (D:", "/ModDate (D:"} {
		at := bytes.Index(pdf, []byte(key))
		for i := at + len(key); at >= 0 && i < len(pdf) && '0' <= pdf[i] && pdf[i] <= '9'; i++ {
			pdf[i] = "20000101000000"[min(i-at-len(key), 13)]
		}
	}
	return pdf
}

// Save writes dir/name.png, .svg, .pdf, and the data as .csv and .parquet, each whole or not at
// all. The axes' labels, with units, are JSON under tarry.config in the Parquet file's metadata.
func (f *Figure) Save(dir, name string) error { return f.SaveAs(dir, name, Formats()) }

// SaveAs is Save with other formats.
func (f *Figure) SaveAs(dir, name string, formats []string) error {
	for _, format := range append(slices.Clone(formats), "csv") {
		path := filepath.Join(dir, name+"."+format)
		data, err := f.Render(format)
		if err == nil {
			err = results.WriteFile(path, data)
		}
		if err != nil {
			return fmt.Errorf("figure: draw %s: %w", path, err)
		}
	}
	meta := results.NewMeta(f.labels(), "", "")
	meta.GoVersion, meta.GOARCH = "", "" // numbers of other files: who draws them does not matter
	return results.WriteColumns(context.Background(), results.Target{Path: filepath.Join(dir, name+".parquet"),
		Meta: meta}, "figure", f.columns())
}

// labels gives title and axes, with their units, as JSON for the Parquet file's metadata.
func (f *Figure) labels() string {
	l := struct {
		Title string `json:"title"`
		X     string `json:"x,omitempty"`
		Y     string `json:"y,omitempty"`
		Value string `json:"value,omitempty"`
		Note  string `json:"note,omitempty"`
	}{f.title, f.xLabel, f.yLabel, "", f.Note}
	if f.bar != nil {
		l.Value = f.bar.label
	}
	text, err := json.Marshal(l)
	if err != nil {
		return "" // texts only
	}
	return string(text)
}

// columns gives the data by column: numbers where every cell is one or empty (NaN), else text.
func (f *Figure) columns() []results.Column {
	cols := make([]results.Column, len(f.Header))
	for i, name := range f.Header {
		c := results.Column{Name: name, Numbers: []float64{}, Text: []string{}}
		numeric := len(f.Rows) > 0
		for _, row := range f.Rows {
			v, err := strconv.ParseFloat(row[i], 64)
			if row[i] == "" {
				v, err = math.NaN(), nil
			}
			numeric = numeric && err == nil
			c.Numbers, c.Text = append(c.Numbers, v), append(c.Text, row[i])
		}
		if numeric {
			c.Text = nil
		} else {
			c.Numbers = nil
		}
		cols[i] = c
	}
	return cols
}

// layout is the texts around the plot, broken into lines.
type layout struct {
	title, note []string
	legend      []legendLine
	plot        vg.Length
}

const (
	titleRow = vg.Length(textPt + 3)
	noteRow  = vg.Length(smallPt + 1.5)
	notePt   = smallPt - 0.5
)

// The margins around everything.
const left, right, bottom, top = vg.Length(2), vg.Length(6), vg.Length(2), vg.Length(3)

// lay breaks the texts for a width.
func (f *Figure) lay(width vg.Length) layout {
	room := width - left - right
	fits := func(style draw.TextStyle) func(string) bool {
		return func(line string) bool { return style.Width(line) <= room }
	}
	legend, note := f.explained()
	return layout{
		title:  wrap(f.title, fits(textStyle(textPt, color.Black))),
		note:   wrap(note, fits(textStyle(notePt, color.Black))),
		legend: layLegend(legend, room),
		plot:   vg.Length(f.Height) * vg.Inch,
	}
}

func (l layout) height() vg.Length {
	h := l.plot + bottom + top + titleRow*vg.Length(len(l.title)) + legendHeight(l.legend) +
		noteRow*vg.Length(len(l.note))
	if len(l.note) > 0 {
		h += noteRow / 2
	}
	return h
}

// draw lays out title and legend above the plot, the colour bar beside it, and the note below.
func (f *Figure) draw(c draw.Canvas) {
	c.SetColor(f.plot.BackgroundColor)
	c.Fill(c.Rectangle.Path())
	l := f.lay(c.Size().X)
	c = draw.Crop(c, left, -right, bottom, -top)
	style := align(textStyle(textPt, color.Black), draw.XCenter, draw.YTop)
	for _, line := range l.title {
		c.FillText(style, vg.Point{X: c.Center().X, Y: c.Max.Y}, line)
		c = draw.Crop(c, 0, 0, 0, -titleRow)
	}
	drawLegend(c, l.legend)
	c = draw.Crop(c, 0, 0, 0, -legendHeight(l.legend))
	small := align(textStyle(notePt, color.Gray{0x50}), draw.XLeft, draw.YBottom)
	for i := range l.note {
		c.FillText(small, vg.Point{X: c.Min.X, Y: c.Min.Y}, l.note[len(l.note)-1-i])
		c = draw.Crop(c, 0, 0, noteRow, 0)
	}
	if len(l.note) > 0 {
		c = draw.Crop(c, 0, 0, noteRow/2, 0)
	}
	if f.panels != nil {
		f.drawPanels(c)
		return
	}
	f.drawPlot(c)
}

// drawPlot draws the plot with its axes and its colour bar.
func (f *Figure) drawPlot(c draw.Canvas) {
	if f.bar != nil {
		c = f.bar.draw(c)
	}
	f.drawLabels(c)
}

// wrap breaks a text between words into lines that fit; a word that fits nowhere is a line.
func wrap(text string, fits func(line string) bool) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case fits(line + " " + word):
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// drawLabels draws the plot and its axes' labels, which the plot misplaces on a logarithmic axis.
func (f *Figure) drawLabels(c draw.Canvas) {
	const strip, side = vg.Length(textPt + 3), vg.Length(textPt + 6)
	inner := c
	if f.xLabel != "" {
		inner = draw.Crop(inner, 0, 0, strip, 0)
	}
	if f.yLabel != "" {
		inner = draw.Crop(inner, side, 0, 0, 0)
	}
	width, direct := f.direct()
	if direct {
		inner = draw.Crop(inner, 0, -width, 0, 0)
	}
	f.plot.Draw(inner)
	area := f.plot.DataCanvas(inner)
	if direct {
		f.drawEnds(c, area)
	}
	data := area.Center()
	style := textStyle(textPt, color.Black)
	// A long label leaves the middle of the axis rather than the picture, or the legend's place.
	half := style.Width(f.xLabel) / 2
	c.FillText(style, vg.Point{X: max(min(data.X, c.Max.X-half), c.Min.X+half), Y: c.Min.Y + strip/2}, f.xLabel)
	half = style.Width(f.yLabel) / 2
	y := max(min(data.Y, c.Max.Y-half), c.Min.Y+half)
	style.Rotation = math.Pi / 2
	c.FillText(style, vg.Point{X: c.Min.X + textPt/2, Y: y}, f.yLabel)
}
