package report

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"tarry/internal/rundir"
	"tarry/output/figure"
	"tarry/output/results"
)

// tuned is one run of an optimiser.
type tuned struct {
	label string
	name  string // of its folder; "" when there is one
	axes  []axisValue
	seed  uint64
	rows  []results.Tune
	best  chosen
	asked request
}

// chosen is what the page needs of best.json; Policy "" = the run has not ended.
type chosen struct {
	Policy, Params, Metric, Optimiser string
	Train, Validation                 float64
	Reference                         struct {
		Policy            string
		Train, Validation float64
	}
	Simulations int64
	Jobs        int64 `json:"jobs_simulated"`
}

// loadTuned reads a folder of tarry tune; what is not there yet is no error.
func loadTuned(ctx context.Context, dir string, left *int64) (t tuned, err error) {
	err = scan(ctx, dir, left, func(rows []results.Tune) error {
		t.rows = append(t.rows, rows...)
		return nil
	})
	if err == nil {
		t.asked, err = readRequest(dir)
	}
	if err != nil || len(t.rows) == 0 {
		return t, err
	}
	t.seed, _ = strconv.ParseUint(t.asked.Seed, 10, 64) // a folder without config.json has none
	path := filepath.Join(dir, "best.json")
	data, err := rundir.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &t.best)
	}
	if err != nil {
		return t, fmt.Errorf("report: %s: %w", path, err)
	}
	return t, nil
}

// tuning reads the folder of tarry tune.
func (r *Reader) tuning(ctx context.Context, f *folder) error {
	t, err := loadTuned(ctx, r.dir, &f.left.tune)
	if err != nil {
		return err
	}
	f.page.Title = "Tuning of " + t.asked.Policy
	f.ask("scheduler", t.asked.Policy)
	f.ask("optimiser", t.asked.Optimiser)
	f.ask("environment", t.asked.Env)
	f.ask("seed", t.asked.Seed)
	if len(t.rows) > 0 {
		t.label = t.rows[0].Optimiser
		f.tuned = []tuned{t}
	} else {
		f.note("the run has no points yet")
	}
	return f.config(r.dir, "config.json")
}

// tuningTables lists what every run of an optimiser chose; none without such runs.
func (f *folder) tuningTables() []table {
	if len(f.tuned) == 0 {
		return nil
	}
	t := table{ID: "tuning", Title: "What was chosen", Rows: [][]cell{},
		Note: "The best point on validation, which may be the scheduler as it stands. Changes are of the " +
			"metric's mean against the scheduler as it stands on the same windows, in per cent: less than 0 is better."}
	for _, a := range f.tuned[0].axes {
		t.Columns = append(t.Columns, column{Name: a.Name})
	}
	t.Columns = append(t.Columns, column{Name: "seed", Num: true}, column{Name: "by", Help: "the optimiser"},
		column{Name: "chosen"}, column{Name: "metric"},
		column{Name: "on training", Unit: "%", Num: true, Help: "windows that the optimiser saw"},
		column{Name: "on validation", Unit: "%", Num: true, Help: "windows that chose among the best points"},
		column{Name: "simulations", Num: true}, column{Name: "jobs simulated", Num: true})
	for i, run := range f.tuned {
		if i == maxRows {
			f.note("table %q: %d rows are left out, the page takes %d", t.Title, len(f.tuned)-i, maxRows)
			break
		}
		var row []cell
		for _, a := range run.axes {
			row = append(row, cell{Text: a.Value})
		}
		b := run.best
		row = append(row, cell{V: number(float64(run.seed))})
		if b.Policy == "" {
			row = append(row, cell{Text: run.rows[0].Optimiser}, cell{Text: "not yet"}, cell{Text: run.rows[0].Metric},
				cell{}, cell{}, cell{}, cell{})
		} else {
			row = append(row, cell{Text: b.Optimiser}, cell{Text: b.Policy}, cell{Text: b.Metric},
				cell{V: number(100 * (b.Train/b.Reference.Train - 1))},
				cell{V: number(100 * (b.Validation/b.Reference.Validation - 1))},
				cell{V: number(float64(b.Simulations))}, cell{V: number(float64(b.Jobs))})
		}
		t.Rows = append(t.Rows, row)
	}
	return []table{t}
}

// tuningCharts draws the best difference so far over what the optimiser asked for, one line per
// label, over its seeds.
func tuningCharts(all []tuned) []chart {
	var labels []string
	by := map[string][]learned{}
	for _, t := range all {
		one := learned{label: t.label, seed: t.seed}
		var spent int64
		for _, r := range t.rows {
			if r.Stage == "search" {
				spent += r.Windows
				one.rows = append(one.rows, results.Curve{EnvSteps: spent, ReturnMean: 100 * r.Best})
			}
		}
		if !slices.Contains(labels, t.label) {
			labels = append(labels, t.label)
		}
		by[t.label] = append(by[t.label], one)
	}
	v := view{Pick: []int{}, Mark: "line", X: axis{Label: "simulations that the optimiser asked for"},
		Y: axis{Label: "best point so far", Unit: "%"}}
	colour := figure.Appearances(labels)
	for _, label := range labels {
		s := curve(by[label], func(r *results.Curve) float64 { return r.ReturnMean })
		if s.Name, s.Colour = label, colour[label]; s.Name == "" {
			s.Name = "tuning"
		}
		if len(s.X) > 0 && !math.IsNaN(float64(s.Y[0])) {
			v.Series = append(v.Series, s)
		}
	}
	if len(v.Series) == 0 {
		return nil
	}
	return []chart{{ID: "tuning", Title: "Tuning", Picks: []pick{}, Views: []view{v},
		Note: "Against the scheduler as it stands, on windows of training; means over seeds with Student's 95 % " +
			"band where there are several. What was chosen is measured on other windows above."}}
}
