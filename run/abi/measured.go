package abi

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"tarry/internal/legible"
	"tarry/output/results"
	"tarry/run/compare"
	"tarry/run/evaluate"
	"tarry/run/printed"
)

// Found is a Measured in JSON.
type Found struct {
	// Text is the table that tarry eval prints.
	Text string `json:"text"`
	// Rows are its lines with all columns of --format json.
	Rows [][]Named `json:"rows"`
	// Texts are the columns of Rows that hold text.
	Texts []string `json:"texts"`
	// Tables counts the rows of each table.
	Tables map[string]int `json:"tables"`
	// Latency states of each policy that was asked how often, and how long an answer took in the
	// mean.
	Latency map[string]Latency `json:"latency"`
}

// Latency is what a policy's decisions took by the clock; it is no part of the tables.
type Latency struct {
	Decisions int64   `json:"decisions"`
	MeanUS    float64 `json:"mean_us"`
}

// Named is a value with the name of its column; nil = there is none.
type Named [2]any

// Found gives what was found.
func (d *Measured) Found() (*Found, error) {
	out := &Found{Tables: map[string]int{}, Latency: map[string]Latency{}}
	var text strings.Builder
	to := legible.NewWriter(&text)
	if err := errors.Join(evaluate.Print(to, d.setup, d.rows, printed.Shown{}), to.Flush()); err != nil {
		return nil, err
	}
	out.Text = text.String()
	for i, r := range d.rows {
		cells := evaluate.Cells(r)
		out.Rows = append(out.Rows, values(cells))
		for _, c := range cells {
			if i == 0 && c.IsText() {
				out.Texts = append(out.Texts, c.Name)
			}
		}
	}
	for _, name := range d.tables {
		f, err := d.Table(name)
		if err != nil {
			return nil, err
		}
		out.Tables[name] = f.Rows
	}
	for _, a := range d.setup.Agents {
		if n, mean := a.Latency(); n > 0 {
			out.Latency[a.Name] = Latency{n, float64(mean) / float64(time.Microsecond)}
		}
	}
	return out, nil
}

// values are the cells of a row as JSON has them.
func values(cells []compare.Cell) []Named {
	var out []Named
	for _, c := range cells {
		switch {
		case c.IsText():
			out = append(out, Named{c.Name, c.Text})
		case c.Exact != "":
			out = append(out, Named{c.Name, json.Number(c.Exact)})
		case math.IsNaN(c.Number) || math.IsInf(c.Number, 0):
			out = append(out, Named{c.Name, nil})
		default:
			out = append(out, Named{c.Name, c.Number})
		}
	}
	return out
}

// Table gives one of the tables that were asked for, a row, or the rows of a trial, per policy and
// window.
func (d *Measured) Table(name string) (*results.Frame, error) {
	switch {
	case len(d.tables) == 0:
		return nil, fmt.Errorf("table %q, expected none: no table was asked for that there is", name)
	case !slices.Contains(d.tables, name):
		return nil, fmt.Errorf("table %q, expected one of %s", name, strings.Join(d.tables, ", "))
	case name == "evals":
		return results.NewFrame(d.meta, evaluate.Evals(d.rows))
	case name == "trials":
		return results.NewFrame(d.meta, evaluate.Trials(d.rows))
	}
	var jobs []results.Job
	for _, r := range d.rows {
		if r.Seeds == 1 { // several seeds have rows of their own
			for _, run := range r.Runs {
				jobs = append(jobs, run.Jobs...)
			}
		}
	}
	return results.NewFrame(d.meta, jobs)
}
