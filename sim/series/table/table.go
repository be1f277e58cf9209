// Package table reads series from tables with a row for each step: prices, caps, loads.
//
// Reading guide: Form states which columns a table may have; Form.Read reads one by the options behind
// its path, and lays it under a run (lay.go).
package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/sim/param"
	"tarry/sim/series"
	"tarry/sim/tabular"
)

// Params has one line for each option: key, meaning. A form with Curve also has CurveParams.
const (
	Params = `every_s  seconds after which the file begins again; 0 = its last value holds
start    instant of the file at which a run begins, seconds or a date with a time; empty = its first row
scale    all values times it`
	CurveParams = `column   the column of values; empty = requests_per_s or requests
days     the file's length is stretched or shortened to so many days; 0 = as it is
peak     all values times what makes the largest this; 0 = as they are`
)

// Form is what a table may have.
type Form struct {
	// Times are the columns that may have the time of a row: time and hour are a date with a time and
	// hours, others seconds. Values are the columns that may have its value.
	Times, Values []string
	// Low and High bound values.
	Low, High float64
	// Curve states that a value whose column ends in per_s is a rate, and a value of any other column a
	// count over the time to the next row, which is divided by it.
	Curve bool
}

// options is how a table is laid under a run.
type options struct {
	everyUs           int64
	start, column     string
	scale, peak, days float64
	stretch           float64 // of time, by days; 0 = 1
}

func (f *Form) options(s *param.Set) (o options) {
	o = options{start: s.Text("start", ""), scale: s.Float("scale", 1, -1e6, 1e6)}
	o.everyUs = int64(math.Round(s.Float("every_s", 0, 0, maxS) * 1e6))
	if f.Curve {
		o.column = s.Text("column", "")
		o.days, o.peak = s.Float("days", 0, 0, maxS/86400), s.Float("peak", 0, 0, f.High)
	}
	return o
}

// Options lists the options with ranges and defaults.
func (f *Form) Options() []param.Setting {
	s := param.Parse("", "")
	f.options(s)
	return s.Settings()
}

// Read reads a table; text has the options behind its path. The error joins all faults and begins
// with what.
func (f *Form) Read(what, path, text string) (*series.Series, error) {
	s := param.Parse(what, text)
	o := f.options(s)
	if err := s.Err(); err != nil {
		return nil, err
	}
	steps, at, err := f.steps(path, &o)
	if err != nil {
		return nil, err
	}
	out, err := o.lay(steps, at)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if o.peak > 0 {
		most := 0.0
		for _, p := range steps {
			most = max(most, p.Value)
		}
		if most == 0 {
			return nil, fmt.Errorf("%s: peak is %g, but all values are 0, expected one above", what, o.peak)
		}
		o.scale *= o.peak / most
	}
	for i := range out.Steps {
		v := &out.Steps[i].Value
		if *v *= o.scale; !(*v >= f.Low && *v <= f.High) {
			return nil, fmt.Errorf("%s: scale is %g, expected values in %g..%g", what, o.scale, f.Low, f.High)
		}
	}
	return out, out.Validate()
}

// steps reads the rows, and gives the column of times.
func (f *Form) steps(path string, o *options) (steps []series.Step, at string, err error) {
	var value string
	if o.column != "" {
		f = &Form{f.Times, []string{o.column}, f.Low, f.High, f.Curve}
	}
	err = tabular.Each(path, func(columns []string) error {
		at, value = one(columns, f.Times), one(columns, f.Values)
		if at == "" || value == "" {
			return fmt.Errorf("%s:1: expected one of the columns %s, and one of %s", path, listed(f.Times),
				listed(f.Values))
		}
		return nil
	}, func(r *tabular.Row) {
		p := series.Step{At: instant(r, at), Value: r.Float(value, f.Low, false)}
		if p.Value > f.High {
			r.Reject(value, fmt.Sprintf("at most %g", f.High))
		}
		if n := len(steps); n > 0 && len(r.Faults()) == 0 && p.At <= steps[n-1].At {
			r.Reject(at, "a time after the row before")
		}
		steps = append(steps, p)
	})
	if err != nil {
		return nil, "", err
	}
	if !f.Curve {
		return steps, at, nil
	}
	return steps, at, o.bins(steps, path, value)
}

// bins divides counts by the time to the next row, the last by the time from the row before; and
// stretches the time.
func (o *options) bins(steps []series.Step, path, column string) error {
	n := len(steps)
	if n < 2 && (o.days > 0 || !strings.HasSuffix(column, "per_s")) {
		return fmt.Errorf("%s: one row of column %q, expected several: the time between rows is the time of a count",
			path, column)
	}
	if !strings.HasSuffix(column, "per_s") {
		for i := range steps {
			k := min(i, n-2)
			steps[i].Value /= float64(steps[k+1].At-steps[k].At) / 1e6
		}
	}
	if o.days == 0 {
		return nil
	}
	first := steps[0].At
	length := float64(steps[n-1].At-first) + float64(steps[n-1].At-steps[n-2].At)
	o.stretch = float64(o.days*86400e6) / length
	for i := range steps {
		steps[i].At = first + o.stretched(steps[i].At-first)
		if i > 0 && steps[i].At <= steps[i-1].At {
			return fmt.Errorf("%s: days is %g, expected more: rows %d and %d fall together", path, o.days, i, i+1)
		}
	}
	return nil
}

// listed joins names with commas and "and".
func listed(names []string) string {
	n := len(names) - 1
	if n == 0 {
		return names[0]
	}
	return strings.Join(names[:n], ", ") + " and " + names[n]
}

// Files lists the file that a text FILE,options names, if it does.
func Files(text string) []string {
	if path, _, _ := strings.Cut(text, ","); Is(path) {
		return []string{path}
	}
	return nil
}

// Is reports whether a text names a table: by its ending, compressed or not.
func Is(path string) bool {
	path = strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".zst")
	return strings.HasSuffix(path, ".csv") || strings.HasSuffix(path, ".tsv")
}

// one gives the name that is among columns, "" where none or several are.
func one(columns, names []string) string {
	found := ""
	for _, n := range names {
		if slices.Contains(columns, n) {
			if found != "" {
				return ""
			}
			found = n
		}
	}
	return found
}
