package report

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"tarry/internal/rundir"
	"tarry/internal/stats"
	"tarry/output/figure"
	"tarry/output/results"
)

// curvePoints bounds the points of one learning curve.
const curvePoints = 300

// learned is one training run.
type learned struct {
	label string // runs with the same label are seeds of one setting
	name  string // of its folder or cell; "" when there is one
	seed  uint64
	rows  []results.Curve
	// timing has the wall time of the updates, as far as it was recorded.
	timing []results.Timing
	asked  request
}

// request is what config.json of a run of train or tune states.
type request struct {
	Env, Agent, Policy, Optimiser, Seed string
	// all has every setting as key.key -> JSON text.
	all map[string]string
}

// readRequest reads config.json; absent = empty.
func readRequest(dir string) (c request, err error) {
	if c.all, err = rundir.Settings(dir); err != nil {
		return c, fmt.Errorf("report: %w", err)
	}
	for key, to := range map[string]*string{"env": &c.Env, "agent": &c.Agent, "policy": &c.Policy,
		"optimiser": &c.Optimiser, "seed": &c.Seed} {
		if text, there := c.all[key]; there && json.Unmarshal([]byte(text), to) != nil {
			*to = text
		}
	}
	return c, nil
}

// loadLearned reads the curves of a training run with their times; none is no error, it may just
// have begun.
func loadLearned(ctx context.Context, dir string, left *int64) (l learned, err error) {
	times := *left
	err = scan(ctx, dir, left, func(rows []results.Curve) error {
		l.rows = append(l.rows, rows...)
		return nil
	})
	if err == nil {
		err = scan(ctx, dir, &times, func(rows []results.Timing) error {
			l.timing = append(l.timing, rows...)
			return nil
		})
	}
	if err == nil && len(l.rows) > 0 {
		l.seed = l.rows[0].Seed
	}
	if err == nil {
		l.asked, err = readRequest(dir)
	}
	return l, err
}

// curveColumn is one number of a training update.
type curveColumn struct {
	id, title, unit string
	get             func(*results.Curve) float64
}

// curveColumns lists what is drawn of training, in this order.
func curveColumns() []curveColumn {
	type c = results.Curve
	return []curveColumn{
		{"return", "mean return of training episodes", "", func(r *c) float64 { return r.ReturnMean }},
		{"validation", "return on validation", "", func(r *c) float64 { return r.Validation }},
		{"loss-policy", "policy loss", "", func(r *c) float64 { return r.LossPolicy }},
		{"loss-value", "value loss", "", func(r *c) float64 { return r.LossValue }},
		{"entropy", "entropy", "", func(r *c) float64 { return r.Entropy }},
		{"kl", "KL divergence", "", func(r *c) float64 { return r.KL }},
		{"clipped", "clipped share", "", func(r *c) float64 { return r.ClipFrac }},
		{"explained", "explained variance", "", func(r *c) float64 { return r.ExplVar }},
		{"rate", "learning rate", "", func(r *c) float64 { return r.LR }},
	}
}

// line is the column's line over runs; without a getter the line of their speeds, which are in
// another table.
func (c *curveColumn) line(runs []learned) series {
	if c.get != nil {
		return curve(runs, c.get)
	}
	return curve(speeds(runs), func(r *results.Curve) float64 { return r.ReturnMean })
}

// thinLines bounds the lines of single seeds below their mean in one chart.
const thinLines = 40

// curveCharts draws training, each number in a chart of its own: one line per label, the mean over
// its seeds, which are thin lines below it.
func curveCharts(all []learned) []chart {
	var labels []string
	by := map[string][]learned{}
	seeds := 0
	for _, l := range all {
		if by[l.label] == nil {
			labels = append(labels, l.label)
		}
		by[l.label] = append(by[l.label], l)
		seeds = max(seeds, len(by[l.label]))
	}
	colour := figure.Appearances(labels)
	note := "One seed: no band."
	if seeds > 1 {
		note = fmt.Sprintf("Means over up to %d seeds with Student's 95 %% band, at the steps that all have reached.",
			seeds)
		if len(all) <= thinLines {
			note += " Thin: each seed."
		}
	}
	var out []chart
	columns := append(curveColumns(), curveColumn{"speed", "environment steps per second", "", nil})
	for _, col := range columns {
		v := view{Pick: []int{}, Mark: "line", X: axis{Label: "environment steps"},
			Y: axis{Label: col.title, Unit: col.unit}}
		for _, label := range labels {
			if runs := by[label]; len(runs) > 1 && len(all) <= thinLines {
				for i := range runs {
					if s := col.line(runs[i : i+1]); len(s.X) > 0 {
						s.Name, s.Colour, s.Thin = label, colour[label], true
						v.Series = append(v.Series, s)
					}
				}
			}
			if s := col.line(by[label]); len(s.X) > 0 {
				s.Name, s.Colour = label, colour[label]
				v.Series = append(v.Series, s)
			}
		}
		if len(v.Series) > 0 {
			out = append(out, chart{ID: "curve-" + col.id, Title: col.title, Note: note, Small: true, Picks: []pick{},
				Views: []view{v}})
		}
	}
	return out
}

// trainingTable lists the training runs; none without one.
func (f *folder) trainingTable() []table {
	if len(f.learn) == 0 {
		return nil
	}
	t := table{ID: "training", Title: "Training runs", Rows: [][]cell{},
		Note: "The best return on validation is the return of the checkpoint that is kept. Wall time is of the " +
			"updates, from the table timing, without what was lost when a run was killed; – = not recorded.",
		Columns: []column{{Name: "run"}, {Name: "seed", Num: true}, {Name: "updates", Num: true},
			{Name: "steps", Num: true}, {Name: "episodes", Num: true},
			{Name: "last return", Num: true, Help: "mean return of the last training episodes"},
			{Name: "best on validation", Num: true}, {Name: "at step", Num: true},
			{Name: "wall time", Unit: "s", Num: true}, {Name: "steps per s", Num: true,
				Help: "environment steps / wall time, validation and checkpoints included"}}}
	for i := range f.learn {
		if i == maxRows {
			f.note("table %q: %d rows are left out, the page takes %d", t.Title, len(f.learn)-i, maxRows)
			break
		}
		l := &f.learn[i]
		name := l.label
		if l.name != "" {
			name = l.name
		}
		last := l.rows[len(l.rows)-1]
		best, at := math.NaN(), math.NaN()
		for _, r := range l.rows {
			if !math.IsNaN(r.Validation) && !(r.Validation <= best) {
				best, at = r.Validation, float64(r.EnvSteps)
			}
		}
		wall, speed := l.wall()
		t.Rows = append(t.Rows, []cell{{Text: name}, {V: number(float64(l.seed))}, {V: number(float64(last.Update))},
			{V: number(float64(last.EnvSteps))},
			{V: number(float64(last.Episodes))}, {V: number(last.ReturnMean)}, {V: number(best)}, {V: number(at)},
			{V: number(wall)}, {V: number(speed)}})
	}
	return []table{t}
}

// curve averages a column over runs, at the steps at which all have a number.
func curve(runs []learned, get func(*results.Curve) float64) series {
	at := map[int64][]float64{}
	for i := range runs {
		for j := range runs[i].rows {
			r := &runs[i].rows[j]
			if v := get(r); !math.IsNaN(v) && !math.IsInf(v, 0) {
				at[r.EnvSteps] = append(at[r.EnvSteps], v)
			}
		}
	}
	var steps []int64
	for s, x := range at {
		if len(x) == len(runs) {
			steps = append(steps, s)
		}
	}
	slices.Sort(steps)
	var out series
	k := min(len(steps), curvePoints)
	for i := range k {
		s := steps[i]
		if len(steps) > k {
			s = steps[i*(len(steps)-1)/(k-1)]
		}
		out.add(float64(s), stats.Student(at[s]))
	}
	if len(runs) < 2 {
		out.Lo, out.Hi = nil, nil
	}
	return out
}
