package abi

import (
	"encoding/json"
	"math"
	"strings"
	"time"

	"tarry/internal/run/compare"
	"tarry/internal/run/evaluate"
)

// Found is a Measured in JSON.
type Found struct {
	// Text is the table that tarry eval prints.
	Text string `json:"text"`
	// Rows are its lines with all columns of --format json.
	Rows [][]Named `json:"rows"`
	// Tables counts the rows of each table.
	Tables map[string]int `json:"tables"`
	// Latency says of each policy that was asked how often, and how long an answer took in the mean.
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
	if err := evaluate.Print(&text, d.setup, d.rows); err != nil {
		return nil, err
	}
	out.Text = text.String()
	for _, r := range d.rows {
		out.Rows = append(out.Rows, values(evaluate.Cells(r)))
	}
	for _, name := range []string{"evals", "trials"} {
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
