package report

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"tarry/internal/results"
)

// Bounds of the page. What goes beyond is left out, and the page says so.
const (
	maxRows      = 3000       // of a table
	maxFailures  = 100        // cells shown with the end of their log
	maxJobValues = 10_000_000 // jobs kept for distributions, over all trials
	maxTimelines = 200        // trials with a timeline
	maxSpans     = 200_000    // of all timelines together
)

// Reader reads a folder again and again, and cells that are done only once. It is safe for
// concurrent use.
type Reader struct {
	dir string
	opt Options

	mu   sync.Mutex
	held map[string]*held // cell id -> what was read of it
}

// held is what was read of a cell (of the whole folder outside sweeps).
type held struct {
	status string
	runs   []*run
	jobs   bool // whether the runs' jobs were read
}

// Options say what the page shows beside the folder. The zero value is valid.
type Options struct {
	// First is the policy that all others are compared with; "" = the first of the folder, in the
	// order of its cells, of its agents or of their names.
	First string
	// Timelines chooses the trials with a timeline: those with this text in their name; "" = all, as
	// far as they fit.
	Timelines string
	// About are texts on a sweep that its folder does not hold, such as the prediction.
	About []Entry
}

// NewReader reads dir.
func NewReader(dir string, opt Options) *Reader {
	return &Reader{dir: dir, opt: opt, held: map[string]*held{}}
}

// folder is what a page is made of.
type folder struct {
	kind  string
	sweep sweepFile
	runs  []*run
	learn []learned
	tuned []tuned
	page  *Page
}

// Read gives the page of the folder as it is now. A cell that says that it is done and cannot be
// read is told on the page; outside sweeps this is an error.
func (r *Reader) Read(ctx context.Context) (*Page, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	kind, err := kindOf(r.dir)
	if err != nil {
		return nil, err
	}
	f := &folder{kind: kind, page: &Page{Asked: []Entry{}, Failures: []failure{}, Notes: []string{}, Tables: []table{},
		Charts: []chart{}, Timelines: []timeline{}, Config: []Entry{}, Hashes: []table{}}}
	switch kind {
	case kindSweep:
		err = r.sweep(ctx, f)
	case kindTrials:
		err = r.trials(ctx, f)
	case kindTune:
		err = r.tuning(ctx, f)
	default:
		err = r.training(ctx, f)
	}
	if err != nil {
		return nil, err
	}
	if err := r.jobs(ctx, f); err != nil {
		return nil, err
	}
	if err := f.fill(ctx, r.opt); err != nil {
		return nil, err
	}
	return f.page, nil
}

// fill makes the tables and charts.
func (f *folder) fill(ctx context.Context, opt Options) error {
	g, err := group(f.runs, opt.First)
	if err != nil {
		return err
	}
	p := f.page
	f.title(g)
	p.Tables = append(p.Tables, g.means(f), g.differences(f))
	if len(f.runs) == 0 {
		p.Tables = []table{}
	}
	p.Tables = append(p.Tables, f.tuningTables()...)
	p.Charts = append(p.Charts, g.axisCharts()...)
	p.Charts = append(p.Charts, g.policyChart()...)
	p.Charts = append(p.Charts, f.distributions(g)...)
	p.Charts = append(p.Charts, g.profile()...)
	p.Charts = append(p.Charts, curveCharts(f.learn)...)
	p.Charts = append(p.Charts, tuningCharts(f.tuned)...)
	if err := f.timelines(ctx, opt.Timelines); err != nil {
		return err
	}
	f.hashes()
	return nil
}

// title names the page after what is in it, not after where it lies.
func (f *folder) title(g *groups) {
	p := f.page
	switch {
	case f.kind == kindSweep:
		p.Title = f.sweep.Name
		if p.Title == "" {
			p.Title = "Sweep"
		}
	case f.kind == kindTrain, f.kind == kindTune: // has one
	case len(f.runs) == 0:
		p.Title = "No trials"
	default:
		k := f.runs[0].row.Keys
		p.Title = strings.Join(g.policies, ", ") + " on " + k.Trace
		p.Asked = append(p.Asked, Entry{"policies", strings.Join(g.policies, ", ")}, Entry{"jobs", k.Trace}, Entry{"cluster", k.Cluster},
			Entry{"speed model", k.Speed}, Entry{"placement", k.Placement}, Entry{"trials", fmt.Sprint(len(f.runs))})
	}
}

// note adds a remark to the page.
func (f *folder) note(format string, args ...any) {
	f.page.Notes = append(f.page.Notes, fmt.Sprintf(format, args...))
}

// sweep reads the cells.
func (r *Reader) sweep(ctx context.Context, f *folder) error {
	s, cells, err := readSweep(r.dir)
	if err != nil {
		return err
	}
	f.sweep = s
	for _, e := range append([]Entry{{"sweep", s.Name}, {"question", s.Question}}, append(r.opt.About, Entry{"kind of cells", s.Kind})...) {
		if e.Text != "" {
			f.page.Asked = append(f.page.Asked, e)
		}
	}
	unread := 0
	for i := range cells {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.cell(ctx, f, &cells[i], i); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if unread++; unread <= maxFailures {
				f.note("cell %s cannot be read: %v", cells[i].ID, err)
			}
		}
	}
	if unread > maxFailures {
		f.note("%d more cells cannot be read", unread-maxFailures)
	}
	if n := f.page.Progress.Failed - len(f.page.Failures); n > 0 {
		f.note("%d more failed cells are not shown", n)
	}
	text, err := readText(filepath.Join(r.dir, "sweep.json"))
	f.page.Config = append(f.page.Config, Entry{"sweep.json", text})
	return err
}

// cell reads one cell: its state, its trials when it is done, its curves as far as they are.
func (r *Reader) cell(ctx context.Context, f *folder, c *sweepCell, number int) error {
	p := &f.page.Progress
	p.Total++
	dir := filepath.Join(r.dir, "cells", filepath.FromSlash(c.ID))
	s, text, err := readStatus(dir)
	if err != nil {
		p.Failed++
		return err
	}
	switch s.State {
	case "done":
		p.Done++
	case "failed":
		p.Failed++
		if len(f.page.Failures) < maxFailures {
			f.page.Failures = append(f.page.Failures, failure{c.ID, s.Attempts, s.Exit, s.Error, logTail(dir)})
		}
	case "running":
		p.Running++
	case "requeue":
		p.Requeue++
	case "cancelled":
		p.Cancelled++
	default:
		p.Waiting++
	}
	axes, err := c.axes()
	if err != nil {
		return err
	}
	rows, err := loadCurves(ctx, filepath.Join(dir, "run"))
	if len(rows) > 0 {
		f.learn = append(f.learn, learned{label: join(axes, ""), seed: c.Seed, rows: rows})
	}
	if err == nil {
		var t tuned
		if t, err = loadTuned(ctx, filepath.Join(dir, "run")); len(t.rows) > 0 {
			t.label, t.axes, t.seed = join(axes, ""), axes, c.Seed
			f.tuned = append(f.tuned, t)
		}
	}
	if err != nil || s.State != "done" {
		return err
	}
	h := r.held[c.ID]
	if h == nil || h.status != text {
		runs, err := loadRuns(ctx, dir, true)
		if err != nil {
			return err
		}
		place(runs, c, axes, number)
		h = &held{status: text, runs: runs}
		r.held[c.ID] = h
	}
	f.runs = append(f.runs, h.runs...)
	return nil
}

// trials reads the folder of compare, simulate or eval.
func (r *Reader) trials(ctx context.Context, f *folder) error {
	runs, err := loadRuns(ctx, r.dir, false)
	if err != nil {
		return err
	}
	f.runs = runs
	r.held = map[string]*held{"": {runs: runs}}
	if err := settle(runs); err != nil {
		return err
	}
	return r.configs(f)
}

// training reads the folder of train.
func (r *Reader) training(ctx context.Context, f *folder) error {
	rows, err := loadCurves(ctx, r.dir)
	if err != nil {
		return err
	}
	if len(rows) > 0 {
		f.learn = []learned{{label: rows[0].Agent, seed: rows[0].Seed, rows: rows}}
	} else {
		f.note("the run has no curves yet")
	}
	if err := r.askedOfTraining(f, rows); err != nil {
		return err
	}
	return r.configs(f)
}

// askedOfTraining says what was trained where.
func (r *Reader) askedOfTraining(f *folder, rows []results.Curve) error {
	var c struct {
		Env, Agent string
		Seed       json.Number
	}
	data, err := os.ReadFile(filepath.Join(r.dir, "config.json"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("report: %w", err)
	}
	if err == nil {
		if err := json.Unmarshal(data, &c); err != nil {
			return fmt.Errorf("report: %s: %w", filepath.Join(r.dir, "config.json"), err)
		}
	}
	f.page.Title = strings.TrimSpace("Training of " + c.Agent)
	for _, e := range [...]Entry{{"agent", c.Agent}, {"environment", c.Env}, {"seed", c.Seed.String()}} {
		if e.Text != "" {
			f.page.Asked = append(f.page.Asked, e)
		}
	}
	if n := len(rows); n > 0 {
		f.page.Asked = append(f.page.Asked, Entry{"so far", fmt.Sprintf("%d updates, %d steps", rows[n-1].Update, rows[n-1].EnvSteps)})
	}
	return nil
}

// configs reads config.json.
func (r *Reader) configs(f *folder) error {
	text, err := readText(filepath.Join(r.dir, "config.json"))
	if text != "" {
		f.page.Config = append(f.page.Config, Entry{"config.json", text})
	}
	return err
}

// jobs reads the jobs of as many trials as the bound allows, whole cells at a time.
func (r *Reader) jobs(ctx context.Context, f *folder) error {
	var kept int64
	left := 0
	var errs []error
	for start := 0; start < len(f.runs); {
		end := start
		for end < len(f.runs) && f.runs[end].dir == f.runs[start].dir {
			end++
		}
		part, id := f.runs[start:end], f.runs[start].id
		start = end
		for _, one := range part {
			kept += one.row.Jobs
		}
		h := r.held[id]
		switch {
		case kept > maxJobValues:
			left += len(part)
		case h.jobs:
		default:
			if err := loadJobs(ctx, part); err != nil {
				errs = append(errs, err)
			}
			h.jobs = true
		}
	}
	if left > 0 {
		f.note("distributions: %d trials are left out, the page takes %d jobs", left, maxJobValues)
	}
	return errors.Join(errs...)
}
