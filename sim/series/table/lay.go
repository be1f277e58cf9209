package table

import (
	"fmt"
	"math"

	"tarry/sim/series"
	"tarry/sim/tabular"
)

const (
	hourUs = 3600e6
	// maxS bounds seconds: a century is 3.2e9.
	maxS = 1e10
)

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

// stretched is a time of the file in the run's.
func (o *options) stretched(us int64) int64 {
	if o.stretch == 0 {
		return us
	}
	return int64(math.Round(float64(us) * o.stretch))
}

// lay puts the steps of a file under a run: the step in force at the start is the first.
func (o *options) lay(steps []series.Step, column string) (*series.Series, error) {
	first, last := steps[0].At, steps[len(steps)-1].At
	off := int64(0)
	if o.start != "" {
		us, ok := tabular.ParseMicros(o.start)
		if column == "time" {
			us, ok = tabular.ParseClock(o.start)
		}
		if !ok || us < first || us > maxS*1e6 {
			return nil, fmt.Errorf("start is %q, expected a time as the column %s has them, from the first row on",
				o.start, column)
		}
		off = o.stretched(us - first)
	}
	if o.everyUs > 0 && o.everyUs <= last-first {
		return nil, fmt.Errorf("every_s is %g, expected more than the %g s between the first and the last row",
			float64(o.everyUs)/1e6, float64(last-first)/1e6)
	}
	out := &series.Series{Every: o.everyUs}
	if o.everyUs > 0 {
		off %= o.everyUs
	}
	now := 0 // the step in force at off
	for now+1 < len(steps) && steps[now+1].At-first <= off {
		now++
	}
	out.Steps = append(out.Steps, series.Step{At: 0, Value: steps[now].Value})
	for _, p := range steps[now+1:] {
		out.Steps = append(out.Steps, series.Step{At: p.At - first - off, Value: p.Value})
	}
	if o.everyUs > 0 {
		for _, p := range steps[:now+1] {
			if at := p.At - first - off + o.everyUs; at < o.everyUs {
				out.Steps = append(out.Steps, series.Step{At: at, Value: p.Value})
			}
		}
	}
	return out, nil
}
