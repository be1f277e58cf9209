package tariff

import (
	"fmt"
	"slices"

	"tarry/sim/param"
	"tarry/sim/series"
	"tarry/sim/tabular"
)

// times are the columns that may have the time of a row: seconds, hours, or a date with a time.
func times() []string { return []string{"time_s", "hour", "time"} }

// file reads a table of a time and a value, called value or as Kind.Column.
func (k *Kind) file(what, path, options string) (*series.Series, error) {
	c, err := readCut(param.Parse(what, options))
	if err != nil {
		return nil, err
	}
	var at, value string
	var steps []series.Step
	err = tabular.Each(path, func(columns []string) error {
		at, value = one(columns, times()), one(columns, []string{"value", k.Column})
		if at == "" || value == "" {
			return fmt.Errorf("%s:1: expected one of the columns time_s, hour and time, and one of value and %s", path,
				k.Column)
		}
		return nil
	}, func(r *tabular.Row) {
		p := series.Step{At: instant(r, at), Value: r.Float(value, k.Low, false)}
		if p.Value > k.High {
			r.Reject(value, fmt.Sprintf("at most %g", k.High))
		}
		if n := len(steps); n > 0 && len(r.Faults()) == 0 && p.At <= steps[n-1].At {
			r.Reject(at, "a time after the row before")
		}
		steps = append(steps, p)
	})
	if err != nil {
		return nil, err
	}
	out, err := c.lay(steps, at)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	for i := range out.Steps {
		v := &out.Steps[i].Value
		if *v *= c.scale; !(*v >= k.Low && *v <= k.High) {
			return nil, fmt.Errorf("%s: scale is %g, expected values in %g..%g", what, c.scale, k.Low, k.High)
		}
	}
	return checked(out, nil)
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

// instant reads the time of a row in microseconds.
func instant(r *tabular.Row, column string) int64 {
	switch column {
	case "time":
		return r.Clock(column)
	case "hour":
		h := r.Float(column, 0, false)
		if h > maxS/3600 {
			r.Reject(column, "hours of at most 317 years")
			return 0
		}
		return int64(float64(h*hourUs) + 0.5)
	}
	us := r.Micros(column)
	if us > maxS*1e6 {
		r.Reject(column, "seconds of at most 317 years")
	}
	return us
}

// lay puts the steps of a file under a run: the step in force at the start is the first.
func (c *cut) lay(steps []series.Step, column string) (*series.Series, error) {
	first, last := steps[0].At, steps[len(steps)-1].At
	off := int64(0)
	if c.start != "" {
		us, ok := tabular.ParseMicros(c.start)
		if column == "time" {
			us, ok = tabular.ParseClock(c.start)
		}
		if !ok || us < first || us > maxS*1e6 {
			return nil, fmt.Errorf("start is %q, expected a time as the column %s has them, from the first row on",
				c.start, column)
		}
		off = us - first
	}
	if c.everyUs > 0 && c.everyUs <= last-first {
		return nil, fmt.Errorf("every_s is %g, expected more than the %g s between the first and the last row",
			float64(c.everyUs)/1e6, float64(last-first)/1e6)
	}
	out := &series.Series{Every: c.everyUs}
	if c.everyUs > 0 {
		off %= c.everyUs
	}
	now := 0 // the step in force at off
	for now+1 < len(steps) && steps[now+1].At-first <= off {
		now++
	}
	out.Steps = append(out.Steps, series.Step{At: 0, Value: steps[now].Value})
	for _, p := range steps[now+1:] {
		out.Steps = append(out.Steps, series.Step{At: p.At - first - off, Value: p.Value})
	}
	if c.everyUs > 0 {
		for _, p := range steps[:now+1] {
			if at := p.At - first - off + c.everyUs; at < c.everyUs {
				out.Steps = append(out.Steps, series.Step{At: at, Value: p.Value})
			}
		}
	}
	return out, nil
}
