package report

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"

	"tarry/internal/legible"
)

// Page is everything that the page shows, as it is handed to the browser.
type Page struct {
	Title     string     `json:"title"`
	Asked     []Entry    `json:"asked"`
	Progress  progress   `json:"progress"`
	Failures  []failure  `json:"failures"`
	Notes     []string   `json:"notes"`
	Tables    []table    `json:"tables"`
	Charts    []chart    `json:"charts"`
	Timelines []timeline `json:"timelines"`
	Workloads []workload `json:"workloads"`
	Config    []Entry    `json:"config"`
	Hashes    []table    `json:"hashes"`
}

// Entry is a named text of the page.
type Entry struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// progress counts cells by state; Total is 0 outside sweeps.
type progress struct {
	Total     int `json:"total"`
	Done      int `json:"done"`
	Failed    int `json:"failed"`
	Running   int `json:"running"`
	Requeue   int `json:"requeue"`
	Cancelled int `json:"cancelled"`
	Waiting   int `json:"waiting"`
}

// failure is a cell that failed, with the end of its log.
type failure struct {
	ID       string `json:"id"`
	Attempts int    `json:"attempts"`
	Exit     int    `json:"exit"`
	Error    string `json:"error"`
	Log      string `json:"log"`
}

// table is a sortable table.
type table struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Note    string   `json:"note"`
	Columns []column `json:"columns"`
	Rows    [][]cell `json:"rows"`
	// Longest is a time in seconds: it decides the unit of all times of the tables that have it,
	// which their heads show; 0 = the table's own.
	Longest num `json:"longest,omitempty"`
}

type column struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
	Help string `json:"help,omitempty"`
	Num  bool   `json:"num,omitempty"`
}

// cell is a text, or a number with an interval. Better is -1 when the whole interval lies below
// zero, 1 when it lies above.
type cell struct {
	Text string `json:"t,omitempty"`
	V    *num   `json:"v,omitempty"`
	Lo   *num   `json:"lo,omitempty"`
	Hi   *num   `json:"hi,omitempty"`
	Sign int    `json:"sign,omitempty"`
}

// chart has one view for every combination of its picks. A small one stands among others like it,
// without advice.
type chart struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Note  string `json:"note"`
	Small bool   `json:"small,omitempty"`
	Picks []pick `json:"picks"`
	Views []view `json:"views"`
}

type pick struct {
	Label   string   `json:"label"`
	Options []string `json:"options"`
}

// view is one drawing. Mark is line, step or points; the intervals of points lie along x, and their
// Y is the number of a row that Y.Ticks names.
type view struct {
	Pick   []int    `json:"pick"`
	Mark   string   `json:"mark"`
	X      axis     `json:"x"`
	Y      axis     `json:"y"`
	Series []series `json:"series"`
}

// axis describes one axis; Ticks name the rows 0, 1, ... of points.
type axis struct {
	Label string   `json:"label"`
	Unit  string   `json:"unit"`
	Log   bool     `json:"log"`
	Ticks []string `json:"ticks,omitempty"`
}

// series is one line; Colour is the number of its appearance (see figure.Appearances). A thin one
// is part of another of its colour and is not in the legend.
type series struct {
	Name   string `json:"name"`
	Colour int    `json:"colour"`
	Thin   bool   `json:"thin,omitempty"`
	X      []num  `json:"x"`
	Y      []num  `json:"y"`
	Lo     []num  `json:"lo,omitempty"`
	Hi     []num  `json:"hi,omitempty"`
}

// num is a number with six significant digits in the page; what is not finite becomes null.
type num float64

// MarshalJSON writes the number.
func (n num) MarshalJSON() ([]byte, error) {
	v := float64(n)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, v, 'g', 6, 64), nil
}

func number(v float64) *num { return (*num)(&v) }

//go:embed assets
var assets embed.FS

// scripts are joined in this order; the later ones use the earlier.
func scripts() []string {
	return []string{"dom.js", "scale.js", "table.js", "chart.js", "chartdraw.js", "timeline.js", "replay.js",
		"replaying.js", "running.js", "main.js"}
}

// JSON gives the page's data and a tag that changes whenever they do.
func (p *Page) JSON() (data []byte, tag string, err error) {
	data, err = json.Marshal(p) // escapes <, > and & within texts: safe inside a script element
	if err != nil {
		return nil, "", fmt.Errorf("report: %w", err)
	}
	data = legible.JSON(data)
	sum := sha256.Sum256(data)
	return data, hex.EncodeToString(sum[:8]), nil
}

// Write writes the page as one HTML file that loads nothing from anywhere.
func Write(w io.Writer, p *Page) error {
	data, tag, err := p.JSON()
	if err != nil {
		return err
	}
	return write(w, &made{page: p, data: data, tag: tag}, false)
}

// write writes the page; a live one asks the server that it came from for new data.
func write(w io.Writer, m *made, live bool) error {
	var script bytes.Buffer
	script.WriteString("'use strict';\n")
	for _, name := range scripts() {
		text, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return fmt.Errorf("report: %w", err)
		}
		script.Write(text)
	}
	style, err := assets.ReadFile("assets/style.css")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	page, err := template.ParseFS(assets, "assets/page.html")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	connect, mode := "'none'", "file"
	if live {
		connect, mode = "'self'", "live"
	}
	// The policy lets only these two texts run and forbids every other source.
	policy := fmt.Sprintf("default-src 'none'; img-src data:; connect-src %s; script-src %s; style-src %s", connect,
		digest(script.Bytes()), digest(style))
	err = page.Execute(w, map[string]any{
		"Title": legible.Name(m.page.Title), "Policy": policy, "Mode": mode, "Tag": m.tag,
		"Style": template.CSS(style), "Script": template.JS(script.String()), "Data": template.JS(m.data),
	})
	if err != nil {
		return fmt.Errorf("report: write the page: %w", err)
	}
	return nil
}

// digest names a text in a content security policy.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
