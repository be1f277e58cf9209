// Package rlref compares with the tables of RLScheduler. A folder holds
//
//	windows.csv      trace, window, first_index, jobs: where the windows of a log begin
//	heuristics.csv   trace, backfill, policy, avg_bounded_slowdown, note: mean over jobs, then over windows
//
// A note with the word slip is of the published program's wait. The logs may stand in the folder
// or where the shared data has them. Every number must be equal in all digits that are printed.
package rlref

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tarry/fidelity/reference"
	"tarry/internal/stats"
	"tarry/run/config"
	"tarry/run/trial"
)

const (
	rlWindows = "windows.csv"
	rlCells   = "heuristics.csv"
)

// rlLog is the log of a trace of the tables; "" = it is not at hand.
func rlLog(trace string) string {
	return map[string]string{"lublin-1": "lublin_256.swf", "lublin-2": "lublin_256_new2.swf"}[trace]
}

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Reader{Name: "rlscheduler", Variants: []string{"rlscheduler-picked", "rlscheduler-wfp3",
		"rlscheduler-unicep"}, Knows: isRLScheduler, Compare: compareRLScheduler}
}

// outcome gathers how a folder compares.
type outcome struct{ reference.Outcome }

func isRLScheduler(f *reference.Folder) bool {
	return slices.Contains(f.Files, rlWindows) && slices.Contains(f.Files, rlCells)
}

func compareRLScheduler(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := outcome{reference.Outcome{Unit: "bsld"}}
	windows, err := reference.ReadRows(filepath.Join(f.Dir, rlWindows), "trace", "first_index", "jobs")
	if err != nil {
		return o.Outcome, err
	}
	cells, err := reference.ReadRows(filepath.Join(f.Dir, rlCells), "trace", "backfill", "policy",
		"avg_bounded_slowdown", "note")
	if err != nil {
		return o.Outcome, err
	}
	o.Reads(rlWindows)
	of := map[string][]int{} // rows of cells by trace
	var traces []string
	for i := range cells.Cells {
		name := cells.Text(i, "trace")
		if of[name] == nil {
			traces = append(traces, name)
		}
		of[name] = append(of[name], i)
	}
	for i := range windows.Cells {
		if name := windows.Text(i, "trace"); of[name] == nil {
			of[name] = []int{}
			o.Leave("windows", rlWindows, 0, fmt.Sprintf("%s has no number of %s", rlCells, name))
		}
	}
	for _, name := range traces {
		if rlLog(name) == "" {
			o.Leave("numbers", rlCells, len(of[name]), fmt.Sprintf("the log of %s is not at hand as it was used", name))
			continue
		}
		if done, err := o.rlTrace(ctx, f, name, windows, cells, of[name]); err != nil {
			for _, i := range of[name][done:] {
				o.Many("numbers", rlCells, 0, len(rlPolicies(cells, i)))
			}
			o.Short = append(o.Short, fmt.Sprintf("%s: %v", name, err))
		}
	}
	return o.Outcome, ctx.Err()
}

// rlTrace runs every scheduler of a trace once and compares its rows; done is how many of them are
// counted.
func (o *outcome) rlTrace(ctx context.Context, f *reference.Folder, name string, windows, cells *reference.Rows,
	at []int) (done int,
	err error) {
	c, err := rlConfig(f, name, windows)
	if err != nil {
		return 0, err
	}
	for _, i := range at {
		for _, spec := range rlPolicies(cells, i) {
			if !slices.Contains(c.Policies, spec) {
				c.Policies = append(c.Policies, spec)
			}
		}
	}
	s, err := config.Build(c, f.From)
	if err != nil {
		return 0, err
	}
	results, err := trial.Run(ctx, s.Trials(), trial.Options{Workers: 1})
	if err != nil {
		return 0, err
	}
	for k, i := range at {
		want, err := cells.Number(i, "avg_bounded_slowdown")
		if err != nil {
			return k, err
		}
		for _, spec := range rlPolicies(cells, i) {
			p, n := slices.Index(c.Policies, spec), len(s.Runs)
			means := make([]float64, 0, n)
			for _, r := range results[p*n : (p+1)*n] {
				means = append(means, r.Row.BSLDMean)
			}
			got := math.Round(100*stats.Mean(means)) / 100
			o.Worst = max(o.Worst, math.Abs(got-want))
			if o.One("numbers", rlCells, got == want); got == want {
				continue
			}
			o.Short = append(o.Short, fmt.Sprintf("%s, row %d: %s on %s gives %.2f, there %.2f", rlCells, i+1, spec,
				name, got, want))
		}
	}
	return len(at), nil
}

// rlPolicies are the spellings of a row's scheduler in tarry: by its score and, where the score is
// a policy of its own, by that name.
func rlPolicies(cells *reference.Rows, i int) []string {
	order, more := cells.Text(i, "policy"), ",backfill="+cells.Text(i, "backfill")
	program := ""
	if strings.Contains(cells.Text(i, "note"), "slip") {
		program = "rlscheduler-"
	}
	specs := []string{program + "picked:order=" + order + more}
	if slices.Contains([]string{"wfp3", "unicep", "f1", "f2", "f3", "f4"}, order) {
		specs = append(specs, program+order+":hold=true"+more)
	}
	return specs
}

// rlConfig is tarry compare --preset rlscheduler with the windows of the file.
func rlConfig(f *reference.Folder, name string, windows *reference.Rows) (config.Config, error) {
	c := config.Default()
	if err := c.ApplyPreset("rlscheduler"); err != nil {
		return c, err
	}
	path, err := f.Find(rlLog(name), "traces/lublin-256")
	if err != nil {
		return c, err
	}
	c.Trace, c.WindowStarts = "swf-rlscheduler:"+path, nil
	for i := range windows.Cells {
		if windows.Text(i, "trace") != name {
			continue
		}
		first, err1 := strconv.Atoi(windows.Text(i, "first_index"))
		jobs, err2 := strconv.Atoi(windows.Text(i, "jobs"))
		if err := errors.Join(err1, err2); err != nil {
			return c, fmt.Errorf("%s: row %d: %w", windows.File, i+1, err)
		}
		if len(c.WindowStarts) > 0 && jobs != c.WindowJobs {
			return c, fmt.Errorf("%s: row %d: %d jobs, expected %d as in the windows before", windows.File, i+1, jobs,
				c.WindowJobs)
		}
		c.WindowStarts, c.WindowJobs = append(c.WindowStarts, first), jobs
	}
	if len(c.WindowStarts) == 0 {
		return c, fmt.Errorf("%s has no window of it", rlWindows)
	}
	c.Replicates = len(c.WindowStarts)
	return c, nil
}
