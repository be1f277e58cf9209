// Package sleepref compares machines that sleep with results of other programs: Helios' rule on
// recorded numbers of machines in use, and days of jobs under a timer. A folder of the first kind has a
// table with the columns total, active, and forecast_X, on_X and lack_X of each forecast X, and the
// rule's numbers in summary.json; one of the second has .json files that are lists of days.
package sleepref

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tarry/baselines/sleep"
	"tarry/fidelity/reference"
)

// The files of a folder with series.
const (
	seriesFile  = "series.csv"
	summaryFile = "summary.json"
)

// SeriesReader compares folders with series.
func SeriesReader() reference.Reader {
	return reference.Reader{Name: "sleep series", Knows: func(f *reference.Folder) bool {
		if !slices.Contains(f.Files, seriesFile) || !slices.Contains(f.Files, summaryFile) {
			return false
		}
		rows, err := reference.ReadRows(filepath.Join(f.Dir, seriesFile), "total", "active")
		return err == nil && len(forecasts(rows)) > 0
	}, Compare: compareSeries}
}

// forecasts are the names of the forecasts of a table.
func forecasts(rows *reference.Rows) (names []string) {
	for c := range rows.At {
		if of, ok := strings.CutPrefix(c, "forecast_"); ok {
			names = append(names, of)
		}
	}
	slices.Sort(names)
	return names
}

// readRule gives the numbers of the rule.
func readRule(file string) (r sleep.Rule, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return r, err
	}
	var s struct {
		Params struct {
			History, Future, Buffer, Keep int
			His                           float64 `json:"his_threshold"`
			Fut                           float64 `json:"fut_threshold"`
			De                            float64 `json:"de_threshold"`
			First                         int     `json:"first_steps"`
		}
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return r, fmt.Errorf("%s: %w", file, err)
	}
	p := s.Params
	if p.First != sleep.Warm || p.History < 1 || p.Future < 1 {
		return r, fmt.Errorf("%s: params are %+v, expected first_steps %d, and history and future >= 1", file, p, sleep.Warm)
	}
	return sleep.Rule{History: p.History, Future: p.Future, Buffer: p.Buffer, Keep: p.Keep, FellBy: p.His, FallBy: p.Fut,
		Least: p.De}, nil
}

// compareSeries plays the rule on each forecast, and compares the machines on and lacking after each step.
func compareSeries(_ context.Context, f *reference.Folder) (o reference.Outcome, err error) {
	path, err := f.Find(summaryFile)
	if err != nil {
		return o, err
	}
	rule, err := readRule(path)
	if err != nil {
		return o, err
	}
	if path, err = f.Find(seriesFile); err != nil {
		return o, err
	}
	rows, err := reference.ReadRows(path, "total", "active")
	if err != nil {
		return o, err
	}
	column := func(name string) (all []float64, err error) {
		for i := range rows.Cells {
			x, err := rows.Number(i, name)
			if err != nil {
				return nil, err
			}
			all = append(all, x)
		}
		return all, nil
	}
	o.Unit = "machines"
	o.Reads(seriesFile, summaryFile)
	for _, of := range forecasts(rows) {
		cols := make([][]float64, 5)
		for i, c := range []string{"total", "active", "forecast_" + of, "on_" + of, "lack_" + of} {
			if _, ok := rows.At[c]; !ok {
				return o, fmt.Errorf("%s: no column %q, expected on_%s and lack_%s", path, c, of, of)
			}
			if cols[i], err = column(c); err != nil {
				return o, err
			}
		}
		play := sleep.Replay{Rule: rule}
		for i := range cols[1] {
			play.Total = cols[0][i]
			on, lack := play.Step(i, cols[1], cols[2])
			off := max(on-cols[3][i], cols[3][i]-on, lack-cols[4][i], cols[4][i]-lack)
			o.Worst = max(o.Worst, off)
			o.One("decisions", seriesFile, off == 0)
			if off != 0 && len(o.Short) < 5 {
				o.Short = append(o.Short, fmt.Sprintf("%s, step %d: %v on and %v lacking, there %v and %v", of, i, on, lack,
					cols[3][i], cols[4][i]))
			}
		}
	}
	return o, nil
}
