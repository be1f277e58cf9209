package report

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/internal/rundir"
	"tarry/internal/stats"
	"tarry/output/results"
)

// maxMeasures bounds the columns of the table of measures.
const maxMeasures = 24

// measured is a number about all jobs of a trial.
type measured struct {
	name, unit string
	value      float64
}

// loadMeasures reads what the table measures states of all jobs of runs that lie in one folder.
func loadMeasures(ctx context.Context, runs []*run, left *int64) error {
	by := map[results.Keys]*run{}
	for _, r := range runs {
		r.measured, r.tenants = nil, nil
		by[r.row.Keys] = r
	}
	return scan(ctx, runs[0].dir, left, func(rows []results.Measure) error {
		for i := range rows {
			m := &rows[i]
			r := by[m.Keys]
			switch {
			case r == nil:
			case m.Of == "":
				r.measured = append(r.measured, measured{m.Name, m.Unit, m.Value})
			case ofTenant(m.Name):
				if r.tenants == nil {
					r.tenants = map[tenantKey]float64{}
				}
				r.tenants[tenantKey{m.Of, m.Name}] = m.Value
			}
		}
		return nil
	})
}

// measures reads them for all runs, once for each.
func (r *Reader) measures(ctx context.Context, f *folder) error {
	var errs []error
	for start := 0; start < len(f.runs); {
		end := start
		for end < len(f.runs) && f.runs[end].dir == f.runs[start].dir {
			end++
		}
		part, id := f.runs[start:end], f.runs[start].id
		start = end
		if part[0].sought {
			continue
		}
		err := loadMeasures(ctx, part, &f.left.measures)
		if err != nil && f.kind == rundir.Sweep && ctx.Err() == nil {
			f.note("cell %s: its measures cannot be read: %v", id, err)
		} else if err != nil {
			errs = append(errs, err)
		}
		for _, one := range part {
			one.sought = true
		}
	}
	return errors.Join(errs...)
}

// measureTable has a column for each measure of all jobs that a trial has; there is none where no
// trial has any.
func (g *groups) measureTable(f *folder) []table {
	var cols []measured
	for _, r := range f.runs {
		for _, m := range r.measured {
			if !slices.ContainsFunc(cols, func(c measured) bool { return c.name == m.name }) {
				cols = append(cols, m)
			}
		}
	}
	if len(cols) == 0 {
		return nil
	}
	t := g.head("measures", "Deadlines, tenants and measures of policies")
	t.Note = "Means of the table measures over the jobs of a trial (docs/reference/measures.md), with 95 % intervals " +
		"over the units." + g.key()
	if n := len(cols); n > maxMeasures {
		f.note("table %q: %d of %d measures are left out", t.Title, n-maxMeasures, n)
		cols = cols[:maxMeasures]
	}
	for _, c := range cols {
		t.Columns = append(t.Columns, c.column())
	}
	g.each(f, t.Title, func(one *group1) {
		row := g.lead(one)
		for _, c := range cols {
			x := make([]float64, len(one.units))
			for i := range one.units {
				x[i] = one.units[i].measure(&c)
			}
			row = append(row, interval(stats.Student(x)))
		}
		t.Rows = append(t.Rows, row)
	})
	return []table{t}
}

// column heads a measure; parts of 1 are shown in per cent.
func (m *measured) column() column {
	c := column{Name: strings.ReplaceAll(m.name, "_", " "), Num: true, Help: m.name}
	switch m.unit {
	case "0..1":
		c.Unit = "%"
	case "s":
		if strings.HasPrefix(m.name, "latency_") { // far below the unit of jobs, which the tables share
			c.Name = strings.TrimSuffix(c.Name, " s") + ", s"
			break
		}
		c.Unit, c.Name = "s", strings.TrimSuffix(c.Name, " s")
	case "ratio", "jobs", "count":
	default:
		c.Help = fmt.Sprintf("%s, in %s", m.name, m.unit)
	}
	return c
}

// measure is the mean of a measure over the unit's trials that have it.
func (u *unit) measure(of *measured) float64 {
	var x []float64
	for _, r := range u.runs {
		for i := range r.measured {
			if m := &r.measured[i]; m.name == of.name && !math.IsNaN(m.value) {
				x = append(x, m.value)
			}
		}
	}
	v := stats.Mean(x)
	if of.unit == "0..1" {
		v *= 100
	}
	return v
}
