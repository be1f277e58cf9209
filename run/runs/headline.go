package runs

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tarry/internal/rundir"
	"tarry/internal/stats"
	"tarry/output/results"
)

// mostRows bounds the rows of a table of one run that are read.
const mostRows = 200_000

// Headline is the main number of a run.
type Headline struct {
	// Value is the least mean completion time in seconds of compare and eval, or the least mean of
	// Cost; the last return on validation of train, the least change on validation of tune as a share,
	// the share of cells that are done of a sweep; NaN = none.
	Value float64
	// Cost names the cost of eval outside the simulator, with its unit last; "" = none.
	Cost string
	// Best is the policy of Value, First the policy that Diff is against; Policies are all in the
	// order of the table.
	Best, First string
	Policies    []string
	// Diff is Best minus First in pairs of replicates; NaN where they finished different jobs, or Best
	// is First.
	Diff stats.Interval
	// Done and Cells count the cells of a sweep.
	Done, Cells int
}

func none() Headline {
	nan := math.NaN()
	return Headline{Value: nan, Diff: stats.Interval{Point: nan, Lo: nan, Hi: nan}}
}

// rowsOf reads a table of the run.
func rowsOf[T results.Row](ctx context.Context, dir string) ([]T, error) {
	var zero T
	var out []T
	err := results.ScanDir(ctx, filepath.Join(dir, zero.Table()), func(rows []T) error {
		if len(out)+len(rows) > mostRows {
			return fmt.Errorf("%s: more than %d rows of the table %s, expected fewer", dir, mostRows, zero.Table())
		}
		out = append(out, rows...)
		return nil
	})
	return out, err
}

// trialRow is what a headline needs of the table trials: reading all columns takes three times as
// long. Outside the simulator JCTMean is the cost.
type trialRow struct {
	Policy      string  `col:"policy"`
	Seed        uint64  `col:"seed,signed"`
	Replicate   int64   `col:"replicate"`
	Jobs        int64   `col:"jobs"`
	Finished    int64   `col:"finished,later"`
	Unfinished  int64   `col:"unfinished"`
	Refused     int64   `col:"refused"`
	FinishedSet string  `col:"finished_set,later"`
	JCTMean     float64 `col:"jct_mean_s"`
}

// Table names the table.
func (trialRow) Table() string { return results.Trial{}.Table() }

// Partial lets readers pass over the other columns.
func (trialRow) Partial() {}

// sameJobs is as in results.Summary.
func (t *trialRow) sameJobs(o *trialRow) bool {
	of := func(t *trialRow) *results.Summary {
		return &results.Summary{Jobs: t.Jobs, Finished: t.Finished, Unfinished: t.Unfinished, Refused: t.Refused,
			FinishedSet: t.FinishedSet}
	}
	return of(t).SameJobs(of(o))
}

// compared reads the table trials.
func (r *Run) compared(ctx context.Context) error {
	rows, err := rowsOf[trialRow](ctx, r.Dir)
	if err != nil {
		return err
	}
	return r.rank(trialRow{}.Table(), rows)
}

// rank finds the least mean among the policies of rows, which a table has.
func (r *Run) rank(table string, rows []trialRow) error {
	slices.SortStableFunc(rows, func(a, b trialRow) int {
		return cmp.Or(cmp.Compare(a.Replicate, b.Replicate), cmp.Compare(a.Seed, b.Seed))
	})
	by := map[string][]trialRow{}
	var names []string
	var given []string
	_ = json.Unmarshal([]byte(r.Settings["policies"]), &given) // without them the table's order holds
	for _, t := range rows {
		if by[t.Policy] == nil {
			names = append(names, t.Policy)
		}
		by[t.Policy] = append(by[t.Policy], t)
	}
	place := func(name string) int {
		if i := slices.Index(given, name); i >= 0 {
			return i
		}
		return len(given)
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
	h := &r.Headline
	h.Policies = names
	if r.What == "" || r.Kind == "eval" {
		r.What = strings.Join(names, ", ")
	}
	for _, name := range names {
		if v := stats.Mean(means(by[name])); h.Best == "" || math.IsNaN(h.Value) || v < h.Value {
			h.Best, h.Value = name, v
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("the table %s has no row", table)
	}
	if h.First = names[0]; h.First != h.Best {
		h.Diff = difference(by[h.Best], by[h.First], h.Diff)
	}
	return nil
}

func means(rows []trialRow) (out []float64) {
	for i := range rows {
		out = append(out, rows[i].JCTMean)
	}
	return out
}

// difference is in pairs; otherwise where the pairs did not finish the same jobs.
func difference(a, b []trialRow, otherwise stats.Interval) stats.Interval {
	if len(a) != len(b) {
		return otherwise
	}
	for i := range a {
		if a[i].Replicate != b[i].Replicate || a[i].Seed != b[i].Seed || !a[i].sameJobs(&b[i]) {
			return otherwise
		}
	}
	c, err := stats.Paired(means(a), means(b))
	if err != nil {
		return otherwise
	}
	return c.Diff
}

// trained reads the table curves: the last return on validation.
func (r *Run) trained(ctx context.Context) error {
	rows, err := rowsOf[results.Curve](ctx, r.Dir)
	last := int64(-1)
	for i := range rows {
		if v := rows[i].Validation; !math.IsNaN(v) && rows[i].Update > last {
			last, r.Headline.Value = rows[i].Update, v
		}
	}
	return err
}

// tuned reads the table tune: the least change against the reference on windows of validation, or of
// the search where there is none yet.
func (r *Run) tuned(ctx context.Context) error {
	rows, err := rowsOf[results.Tune](ctx, r.Dir)
	stage := "search"
	for i := range rows {
		if rows[i].Stage == "validation" {
			stage = "validation"
		}
	}
	h := &r.Headline
	for i := range rows {
		v := rows[i].Diff
		if stage == "search" {
			v = rows[i].Best
		}
		if rows[i].Stage == stage && !math.IsNaN(v) && !(h.Value <= v) {
			h.Value, h.Best = v, rows[i].Policy
		}
	}
	return err
}

// sweep counts the cells.
func (r *Run) sweep() error {
	var s struct {
		Name string `json:"name"`
	}
	path := filepath.Join(r.Dir, "sweep.json")
	data, err := rundir.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	r.What = s.Name
	f, err := rundir.Open(filepath.Join(r.Dir, "cells.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close()
	h := &r.Headline
	r.cells = map[string]int{}
	d := json.NewDecoder(bufio.NewReader(f))
	for {
		var c struct {
			ID string `json:"id"`
		}
		if err := d.Decode(&c); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("%s: cell %d: %w", f.Name(), h.Cells, err)
		}
		if !filepath.IsLocal(filepath.FromSlash(c.ID)) {
			return fmt.Errorf("%s: cell %d has the id %q, expected key=value/...", f.Name(), h.Cells, c.ID)
		}
		h.Cells++
		state, err := stateOf(filepath.Join(r.Dir, "cells", filepath.FromSlash(c.ID), "STATUS"))
		if err != nil {
			return err
		}
		r.cells[state]++
	}
	h.Done = r.cells["done"]
	h.Value = float64(h.Done) / float64(h.Cells)
	return nil
}

// stateOf reads the state of a cell; absent = it waits.
func stateOf(path string) (string, error) {
	var s struct {
		State string `json:"state"`
	}
	data, err := rundir.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "waiting", nil
	}
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return s.State, nil
}
