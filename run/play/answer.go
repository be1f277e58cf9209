package play

import (
	"bytes"
	"math"

	"tarry/internal/stats"
	"tarry/output/knows"
	"tarry/run/compare"
	"tarry/run/printed"
)

// Answer is a Result in numbers and texts.
type Answer struct {
	// Policies are the policies as they were given, marked where clairvoyant.
	Policies []string `json:"policies"`
	// Measures are the columns of the command's result.
	Measures []Measure `json:"measures"`
	// Completion and Wait are the paired differences from the first policy, with 95 % intervals, by
	// policy; "-" = none.
	Completion []string `json:"completion"`
	Wait       []string `json:"wait"`
	// Unit is the unit of all rounded times.
	Unit Unit `json:"unit"`
	// Over states what the interval is over: replicates or jobs.
	Over string `json:"over"`
	// Seeds are the means of each replicate, in seconds: by policy, then by replicate.
	Seeds [][]Seed `json:"seeds"`
	// Cells are the values of `tarry compare --format json`, by policy and name.
	Cells []map[string]string `json:"cells"`
	// Table is what the command prints, Notes what it notes, Warnings its lines on overload.
	Table    string   `json:"table"`
	Notes    []string `json:"notes"`
	Warnings []string `json:"warnings"`
}

// Measure is a column of the command's result.
type Measure struct {
	Name string `json:"name"`
	Help string `json:"help"`
	// Shown are the values by policy, rounded as the command prints them.
	Shown []string `json:"shown"`
}

// Unit is the unit of the rounded times, as printed.Unit has it.
type Unit struct {
	Name     string  `json:"name"`
	Seconds  float64 `json:"seconds"`
	Decimals int     `json:"decimals"`
}

// Seed has the means of one replicate; NaN is null.
type Seed struct {
	Completion *float64 `json:"completion"`
	Wait       *float64 `json:"wait"`
}

// Answer gives the numbers.
func (r *Result) Answer() (*Answer, error) {
	unit := compare.UnitOf(r.rows)
	a := &Answer{Wait: r.waits, Over: "jobs", Notes: append([]string{}, r.setup.Notes...),
		Warnings: []string{}, Unit: Unit{unit.Short, unit.Seconds, unit.Decimals}}
	if len(r.setup.Runs) > 1 {
		a.Over = "replicates"
	}
	for _, run := range r.done {
		a.Notes = append(a.Notes, compare.LeftOver(run)...)
	}
	for _, row := range r.rows {
		a.Policies = append(a.Policies, knows.Marked(row.Policy, row.Knows))
		a.Completion = append(a.Completion, row.Difference(unit))
		if line := compare.Overloaded(row.Policy, row.Runs); line != "" {
			a.Warnings = append(a.Warnings, line)
		}
		if line := compare.Unrecorded(row.Policy, row.Runs); line != "" {
			a.Warnings = append(a.Warnings, line)
		}
		cells := map[string]string{}
		for _, k := range row.Cells(true) {
			if cells[k.Name] = k.Digits(); k.IsText() {
				cells[k.Name] = k.Text
			}
		}
		a.Cells = append(a.Cells, cells)
		var seeds []Seed
		for _, run := range row.Runs {
			seeds = append(seeds, Seed{number(run.Row.JCTMean), number(run.Row.QueueMean)})
		}
		a.Seeds = append(a.Seeds, seeds)
	}
	for i, c := range compare.Columns() {
		m := Measure{Name: c.Name, Help: c.Help}
		for _, row := range r.rows {
			m.Shown = append(m.Shown, compare.Rounded(c.Name, row.Values[i], unit))
		}
		a.Measures = append(a.Measures, m)
	}
	var table bytes.Buffer
	err := compare.Table(&table, r.rows, true, printed.Shown{})
	a.Table = table.String()
	return a, err
}

// number is a value as JSON has it, nil for none.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// compareWaits pairs the mean waits of each policy with the first policy's over the replicates, as the
// command pairs completion times; where policies finished different jobs, or one replicate ran, no
// difference is given.
func (r *Result) compareWaits() error {
	means := func(row *compare.Row) (x []float64) {
		for _, run := range row.Runs {
			x = append(x, run.Row.QueueMean)
		}
		return x
	}
	unit := compare.UnitOf(r.rows)
	for i, row := range r.rows {
		text := "-"
		if i > 0 && len(row.Runs) > 1 && row.Same {
			c, err := stats.Paired(means(row), means(r.rows[0]))
			if err != nil {
				return err
			}
			text = (&compare.Row{Diff: c.Diff}).Difference(unit)
		}
		r.waits = append(r.waits, text)
	}
	return nil
}
