package digest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tarry/experiments/sweep"
	"tarry/internal/rundir"
	"tarry/output/results"
	"tarry/run/parts"
)

// Runs are folders of single commands: of compare or simulate (tables trials and jobs), of train
// (table curves) and of tune (table tune).
type Runs struct {
	compared []string // folders with trials
	trained  []string // folders with curves
	tuned    []string // folders with tune
}

// FindRuns looks for runs in folders and, where a folder is none itself, in its own. A folder
// without any is an error.
func FindRuns(dirs ...string) (*Runs, error) {
	r := &Runs{}
	for _, dir := range dirs {
		if r.add(dir) {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		found := false
		for _, e := range entries { // by name
			found = e.IsDir() && r.add(filepath.Join(dir, e.Name())) || found
		}
		if !found {
			return nil, fmt.Errorf("%s: neither a sweep nor runs, expected sweep.json, or the tables of compare "+
				"(trials), train (curves) or tune (tune) in it or in its folders", dir)
		}
	}
	return r, nil
}

// add takes a folder once if it is a run.
func (r *Runs) add(dir string) bool {
	dir = filepath.Clean(dir)
	has := func(table string) bool {
		info, err := os.Stat(filepath.Join(dir, table))
		_, run := os.Stat(filepath.Join(dir, table, "config.json")) // a run of that name
		return err == nil && info.IsDir() && run != nil
	}
	trials, curves, tunes := has(results.Trial{}.Table()), has(results.Curve{}.Table()), has(results.Tune{}.Table())
	if trials && !slices.Contains(r.compared, dir) {
		r.compared = append(r.compared, dir)
	}
	if curves && !slices.Contains(r.trained, dir) {
		r.trained = append(r.trained, dir)
	}
	if tunes && !slices.Contains(r.tuned, dir) {
		r.tuned = append(r.tuned, dir)
	}
	return trials || curves || tunes
}

// Dirs are the folders.
func (r *Runs) Dirs() []string { return slices.Concat(r.compared, r.trained, r.tuned) }

// Figures draws the comparisons (Compared), several of them beside their own pictures in one
// (comparisons), the searches of tunings, and the learning curves: returns of training and on validation, mean and interval
// over the seeds of runs that differ in nothing else, with the return of a baseline on validation as
// a line. Runs name entries of from. Several comparisons have the name of their folder before the
// names of their figures.
func (r *Runs) Figures(ctx context.Context, from *parts.Catalogues) ([]sweep.Figure, error) {
	var out []sweep.Figure
	var errs []error
	var all comparisons
	names := rundir.Names(r.Dirs()) // the compared ones come first
	for i, dir := range r.compared {
		one, err := compareFolder(ctx, dir)
		var figures []sweep.Figure
		if err == nil {
			one.name = names[i]
			if len(r.compared) > 1 {
				all = append(all, one)
			}
			figures, err = Compared(one.all, one.same, from)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", dir, err))
		}
		for _, f := range figures {
			if len(r.compared) > 1 {
				f.Name = strings.ReplaceAll(names[i], "/", "_") + "_" + f.Name
			}
			out = append(out, f)
		}
	}
	figures, err := all.figures(from)
	out, errs = append(out, figures...), append(errs, err)
	if len(r.trained) > 0 {
		figures, err := trainFolders(ctx, from, r.trained)
		out, errs = append(out, figures...), append(errs, err)
	}
	if len(r.tuned) > 0 {
		figures, err := tuneFolders(ctx, r.tuned)
		out, errs = append(out, figures...), append(errs, err)
	}
	return out, errors.Join(errs...)
}

// comparison is a folder of compare as it was read.
type comparison struct {
	name string // of the folder, among several
	all  []Contender
	same bool // no contender finished other jobs
	// done has all finished jobs; replicates are in the order of the contenders' rows.
	done       jobsOf
	replicates []int64
}

// compareFolder reads trials and jobs as contenders, in the order in which the policies were given.
func compareFolder(ctx context.Context, dir string) (*comparison, error) {
	trials, err := results.ReadDir[results.Trial](ctx, filepath.Join(dir, results.Trial{}.Table()))
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(trials, func(a, b results.Trial) int { return cmp.Compare(a.Replicate, b.Replicate) })
	names, err := given(dir)
	if err != nil {
		return nil, err
	}
	for _, t := range trials {
		index(&names, t.Policy)
	}
	c := &comparison{}
	if c.done, err = finished(ctx, dir); err != nil {
		return nil, err
	}
	for _, name := range names {
		one := Contender{Name: name}
		for _, t := range trials {
			if t.Policy == name {
				one.Rows = append(one.Rows, t.Summary)
				one.JCT = append(one.JCT, nil)
				if len(c.all) == 0 {
					c.replicates = append(c.replicates, t.Replicate)
				}
			}
		}
		if len(one.Rows) > 0 {
			c.all = append(c.all, one)
		}
	}
	if len(c.all) == 0 {
		return nil, errors.New("the table trials has no row")
	}
	c.same, err = c.done.fill(c.all, trials)
	return c, err
}

// run is a trial, and jobs the completion times of its jobs by their names.
type run struct {
	policy    string
	replicate int64
}
type jobsOf map[run]map[string]float64

// finished reads the completion times of finished jobs.
func finished(ctx context.Context, dir string) (jobsOf, error) {
	out := jobsOf{}
	err := results.ScanDir(ctx, filepath.Join(dir, results.Job{}.Table()), func(rows []results.Job) error {
		for i := range rows {
			k := run{rows[i].Policy, rows[i].Replicate}
			if out[k] == nil {
				out[k] = map[string]float64{}
			}
			if !math.IsNaN(rows[i].JCT) {
				out[k][rows[i].ID] = rows[i].JCT
			}
		}
		return nil
	})
	return out, err
}

// fill gives contenders the completion times of the jobs that all of them finished in a replicate,
// in the order of their names, and reports whether no contender finished others. Contenders of
// different replicates are an error: they did not have the same jobs.
func (j jobsOf) fill(all []Contender, trials []results.Trial) (same bool, err error) {
	same = true
	byPolicy := map[string][]int64{}
	for _, t := range trials {
		byPolicy[t.Policy] = append(byPolicy[t.Policy], t.Replicate)
	}
	first := byPolicy[all[0].Name]
	for _, c := range all {
		if !slices.Equal(byPolicy[c.Name], first) {
			return false, fmt.Errorf("%s has the replicates %v and %s %v, expected the same: a policy has not ended",
				all[0].Name, first, c.Name, byPolicy[c.Name])
		}
	}
	for r, replicate := range first {
		var ids []string
		for id := range j[run{all[0].Name, replicate}] {
			if !slices.ContainsFunc(all, func(c Contender) bool {
				_, ok := j[run{c.Name, replicate}][id]
				return !ok
			}) {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		for i := range all {
			mine := j[run{all[i].Name, replicate}]
			same = same && len(mine) == len(ids)
			for _, id := range ids {
				all[i].JCT[r] = append(all[i].JCT[r], mine[id])
			}
		}
	}
	return same, nil
}

// given lists the policies as they were given; nil when the folder does not state them.
func given(dir string) ([]string, error) {
	var c struct{ Policies []string }
	path := filepath.Join(dir, "config.json")
	text, err := rundir.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil:
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c.Policies, nil
}
