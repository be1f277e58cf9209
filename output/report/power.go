package report

import (
	"context"
	"math"

	"tarry/output/results"
)

const (
	// maxPowered bounds the trials whose power is drawn, and powerPoints the points of one.
	maxPowered  = 24
	powerPoints = 240
)

// watts reads what a trial drew over time, at most at so many points; nil = it has no such table.
func (r *run) watts(ctx context.Context, left *int64) ([]results.PowerSample, error) {
	if r.asked {
		return r.power, nil
	}
	all, err := rowsOf(ctx, r, left, func(s *results.PowerSample) results.Keys { return s.Keys })
	if err != nil {
		return nil, err
	}
	for every := 2; len(all) > powerPoints; {
		all = joined(all, every)
	}
	r.power, r.asked = all, true
	return all, nil
}

// rowsOf reads the rows of a trial in a table; nil = it has none.
func rowsOf[T results.Row](ctx context.Context, r *run, left *int64, keys func(*T) results.Keys) ([]T, error) {
	var zero T
	targets, err := files(r.dir, zero.Table())
	if err != nil {
		return nil, err
	}
	var all []T
	for _, target := range targets {
		if !target.Holds(r.row.Keys) {
			continue
		}
		if _, err := scanFile(ctx, target, left, func(rows []T) error {
			for i := range rows {
				if keys(&rows[i]) == r.row.Keys {
					all = append(all, rows[i])
				}
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// joined joins stretches of a trial, each with those behind it; the last row is the end.
func joined(all []results.PowerSample, every int) []results.PowerSample {
	n := len(all) - 1
	var out []results.PowerSample
	for i := 0; i < n; i += every {
		end := min(i+every, n)
		one, whole := all[i], all[end].Time-all[i].Time
		one.Off, one.Boot, one.Idle, one.Busy = 0, 0, 0, 0
		for k := i; k < end; k++ {
			part := (all[k+1].Time - all[k].Time) / whole
			one.Off += float64(part * all[k].Off)
			one.Boot += float64(part * all[k].Boot)
			one.Idle += float64(part * all[k].Idle)
			one.Busy += float64(part * all[k].Busy)
			one.Max = max(one.Max, all[k].Max)
		}
		out = append(out, one)
	}
	return append(out, all[n])
}

// powerLines are the lines of the chart, by its pick of what is drawn.
func powerLines() [][]struct {
	name string
	of   func(s *results.PowerSample) float64
} {
	type line = struct {
		name string
		of   func(s *results.PowerSample) float64
	}
	return [][]line{{
		{"all", func(s *results.PowerSample) float64 { return s.Off + s.Boot + s.Idle + s.Busy }},
		{"busy", func(s *results.PowerSample) float64 { return s.Busy }},
		{"idle", func(s *results.PowerSample) float64 { return s.Idle }},
		{"boot", func(s *results.PowerSample) float64 { return s.Boot }},
		{"off", func(s *results.PowerSample) float64 { return s.Off }},
		{"most", func(s *results.PowerSample) float64 { return s.Max }},
		{"cap", func(s *results.PowerSample) float64 { return s.Cap }},
	}, {{"price", func(s *results.PowerSample) float64 { return s.Price }}},
		{{"carbon", func(s *results.PowerSample) float64 { return s.Carbon }}}}
}

// powerChart draws the watts of trials over time by state, with the cap, and prices; there is none
// where no trial has a power model.
func (f *folder) powerChart(ctx context.Context, shown func(policy string) string) ([]chart, error) {
	c := chart{ID: "power", Title: "Power over time", Note: "Watts of the cluster: means of stretches of time, of " +
		"machines that are off, that boot, that are on or shut down (idle, also under jobs), and what jobs add " +
		"(busy). Most is the greatest power within a stretch."}
	of, trials, more := pick{Label: "of"}, pick{Label: "trial"}, 0
	var all [][]results.PowerSample
	for _, r := range f.runs {
		if len(all) == maxPowered {
			more++
			continue
		}
		rows, err := r.watts(ctx, &f.left.power)
		if err != nil {
			return nil, err
		}
		if len(rows) > 1 {
			all, trials.Options = append(all, rows), append(trials.Options, r.named(shown(r.row.Policy)))
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	for kind, lines := range powerLines() {
		var views []view
		some := false
		for trial, rows := range all {
			v := view{Pick: []int{len(of.Options), trial}, Mark: "step", X: axis{Label: "time", Unit: "s"},
				Y: axis{Label: [...]string{"power", "price", "carbon"}[kind], Unit: [...]string{"W", "1/kWh", "g/kWh"}[kind]}}
			for k, line := range lines {
				if s := (series{Name: line.name, Colour: k}); s.follow(rows, line.of) {
					v.Series = append(v.Series, s)
				}
			}
			views, some = append(views, v), some || len(v.Series) > 0
		}
		if some {
			of.Options, c.Views = append(of.Options, views[0].Y.Label), append(c.Views, views...)
		}
	}
	if c.Picks = []pick{of, trials}; more > 0 {
		f.note("%s: %d trials are left out, the page takes %d", c.Title, more, maxPowered)
	}
	return []chart{c}, nil
}

// follow takes the points of a line; false where it has none, or is 0 all the time.
func (s *series) follow(rows []results.PowerSample, of func(*results.PowerSample) float64) bool {
	any := false
	for i := range rows[:len(rows)-1] {
		y := of(&rows[i])
		any = any || y != 0 && !math.IsNaN(y)
		s.X, s.Y = append(s.X, num(rows[i].Time)), append(s.Y, num(y))
	}
	last := len(rows) - 1 // the end of the run, until which the last stretch lasts
	s.X = append(s.X, num(rows[last].Time))
	s.Y = append(s.Y, s.Y[len(s.Y)-1:]...)
	return any
}
