package report

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"tarry/internal/rundir"
	"tarry/sim/entry"
)

// Bounds of the page. What goes beyond is left out, and the page notes it.
const (
	maxRows      = 3000       // of a table
	maxFailures  = 100        // cells shown with the end of their log
	maxJobValues = 10_000_000 // jobs kept for distributions, over all trials
	maxTimelines = 200        // trials with a timeline
	maxSpans     = 200_000    // of all timelines together
)

// Reader reads a folder again and again: not at all while nothing in it has changed, and cells that
// are done only once. It is safe for concurrent use.
type Reader struct {
	dir  string   // the one folder
	dirs []string // several folders on one page; nil = one
	opt  Options

	mu     sync.Mutex
	held   map[string]*held // cell id -> what was read of it
	made   *made            // the page of the folder as stamp has it; nil = none
	stamp  stamp
	loads  int // how often the folder was read
	limits limits
}

// made is a page with its data as they are sent.
type made struct {
	page *Page
	data []byte
	tag  string
	// waiting: there is no folder yet, or nothing in it.
	waiting bool
}

// held is what was read of a cell (of the whole folder outside sweeps).
type held struct {
	status string
	runs   []*run
	jobs   bool // whether the runs' jobs were read
	// unread states why its jobs could not be read; "" = they were, or were not asked for.
	unread string
}

// Options set what the page shows beside the folder. The zero value is valid.
type Options struct {
	// First is the policy that all others are compared with; "" = the first of the folder, in the
	// order of its cells, of its agents or of their names.
	First string
	// Timelines chooses the trials with a timeline: trials with this text in their name; "" = all,
	// as far as they fit.
	Timelines string
	// Wait gives a page that notes it where there is no folder yet, or one in which a run has just
	// begun; otherwise that is an error.
	Wait bool
	// About gives texts on a sweep that its folder does not hold, such as the prediction; nil =
	// none. It is called when the folder is read.
	About func() []Entry
	// Policies decides of rows of earlier versions, by the name of their policy, whether it is
	// clairvoyant; nil = none is.
	Policies entry.Policies
	// Now is the clock by which a page states how old the last report of a running trial is; nil =
	// it does not.
	Now func() time.Time
}

// NewReader reads dir.
func NewReader(dir string, opt Options) *Reader { return NewReaderOf([]string{dir}, opt) }

// NewReaderOf reads a folder, or several on one page as if they lay in one folder.
func NewReaderOf(dirs []string, opt Options) *Reader {
	r := &Reader{opt: opt, held: map[string]*held{}, limits: defaultLimits()}
	if len(dirs) == 1 {
		r.dir = dirs[0]
	} else {
		r.dirs = dirs
	}
	return r
}

// folder is what a page is made of.
type folder struct {
	kind    rundir.Kind
	members []rundir.Member // of kindMany
	left    limits          // rows that may still be read
	// order are the policies as they were given; others come behind.
	order []string
	// labels are the names of policies for readers.
	labels map[string]string
	// facts is what the folder states of its jobs beside their name.
	facts []Entry
	sweep sweepFile
	runs  []*run
	costs []*run // of environments outside the simulator
	learn []learned
	tuned []tuned
	page  *Page
}

// Read gives the page of the folder as it is now; the caller must not change it. A cell that states
// that it is done and cannot be read is reported on the page; outside sweeps this is an error. The
// error is an ErrAsked when the folder is none of ours or Options.First names no policy.
func (r *Reader) Read(ctx context.Context) (*Page, error) {
	m, err := r.read(ctx)
	if err != nil {
		return nil, err
	}
	return m.page, nil
}

// Waiting reads the folder and reports whether there are no results to show yet, which only
// Options.Wait allows.
func (r *Reader) Waiting(ctx context.Context) (bool, error) {
	m, err := r.read(ctx)
	return err == nil && m.waiting, err
}

// read gives the page with its data. While the stamp holds it opens no file.
func (r *Reader) read(ctx context.Context) (*made, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.made != nil && r.stamp.holds() {
		return r.made, nil
	}
	r.made = nil
	r.loads++
	if r.opt.Wait && r.dirs == nil && nothingYet(r.dir) {
		s := stamp{markOf(r.dir)}
		p := emptyPage()
		p.Title = "Waiting for results"
		p.Notes = append(p.Notes, fmt.Sprintf("%s does not exist yet, or holds no results yet. The page fills by "+
			"itself when it does.", r.dir))
		m, err := r.keep(p, s)
		if err == nil {
			m.waiting = true
		}
		return m, err
	}
	kind, list, err := r.kind()
	if err != nil {
		return nil, err
	}
	f := &folder{kind: kind, members: list, page: emptyPage(), left: r.limits}
	var s stamp
	switch kind {
	case rundir.Sweep:
		s, err = r.sweep(ctx, f)
	default:
		if s, err = r.stamps(); err == nil {
			err = r.others(ctx, f)
		}
	}
	if err == nil {
		f.labels, err = r.labels(list)
	}
	if err == nil {
		err = r.jobs(ctx, f)
	}
	if err == nil {
		err = r.measures(ctx, f)
	}
	if err == nil {
		err = f.fill(ctx, r.opt)
	}
	if err != nil {
		return nil, err
	}
	return r.keep(f.page, s)
}

// keep remembers a page for as long as a stamp holds.
func (r *Reader) keep(p *Page, s stamp) (*made, error) {
	data, tag, err := p.JSON()
	if err != nil {
		return nil, err
	}
	r.made, r.stamp = &made{page: p, data: data, tag: tag}, s
	return r.made, nil
}

// others reads a folder that is no sweep.
func (r *Reader) others(ctx context.Context, f *folder) error {
	switch f.kind {
	case rundir.Trials:
		return r.trials(ctx, f)
	case rundir.Tune:
		return r.tuning(ctx, f)
	case kindMany:
		return r.many(ctx, f)
	}
	return r.training(ctx, f)
}

func emptyPage() *Page {
	return &Page{Asked: []Entry{}, Failures: []failure{}, Notes: []string{}, Tables: []table{},
		Charts: []chart{}, Timelines: []timeline{}, Workloads: []workload{}, Config: []Entry{}, Hashes: []table{}}
}

// fill makes the tables and charts.
func (f *folder) fill(ctx context.Context, opt Options) error {
	g, err := group(f.runs, opt, f.order)
	if err != nil {
		return err
	}
	g.labels = f.labels
	p := f.page
	f.title(g)
	p.Tables = append(p.Tables, g.means(f), g.differences(f))
	if len(f.runs) == 0 {
		p.Tables = []table{}
	}
	costs, err := f.costGroups(opt)
	if err != nil {
		return err
	}
	if costs != nil {
		p.Tables = append(p.Tables, f.costTable(costs))
	}
	p.Tables = append(append(p.Tables, f.trainingTable()...), f.tuningTables()...)
	p.Charts = append(p.Charts, g.axisCharts()...)
	p.Charts = append(p.Charts, g.policyChart()...)
	p.Charts = append(p.Charts, f.distributions(g)...)
	p.Charts = append(p.Charts, g.profile()...)
	if costs != nil {
		p.Charts = append(append(append(p.Charts, costs.axisCharts()...), costs.policyChart()...), costs.profile()...)
	}
	p.Charts = append(p.Charts, curveCharts(f.learn)...)
	p.Charts = append(p.Charts, tuningCharts(f.tuned)...)
	drawn, err := f.overTime(ctx, g.shown)
	if err != nil {
		return err
	}
	p.Charts = append(p.Charts, drawn...)
	if err := f.timelines(ctx, opt, g.shown); err != nil {
		return err
	}
	p.Tables = append(p.Tables, g.typeTable(f)...)
	p.Tables = append(p.Tables, g.measureTable(f)...)
	p.Tables = append(p.Tables, g.tenantTable(f)...)
	oneUnit(p.Tables)
	f.hashes()
	return nil
}

// note adds a remark to the page.
func (f *folder) note(format string, args ...any) {
	f.page.Notes = append(f.page.Notes, fmt.Sprintf(format, args...))
}

// trials reads the folder of compare, simulate or eval.
func (r *Reader) trials(ctx context.Context, f *folder) error {
	runs, err := loadRuns(ctx, r.dir, false, &f.left.trials)
	if err != nil {
		return err
	}
	f.order, f.facts, err = givenConfig(r.dir, runs)
	f.take(runs)
	r.held = map[string]*held{"": {runs: f.runs}}
	f.settle()
	return errors.Join(err, f.config(r.dir, "config.json"))
}

// training reads the folder of train.
func (r *Reader) training(ctx context.Context, f *folder) error {
	one, err := loadLearned(ctx, r.dir, &f.left.curves)
	if err != nil {
		return err
	}
	if len(one.rows) > 0 {
		one.label = one.asked.Agent
		if one.label == "" {
			one.label = one.rows[0].Agent
		}
		f.learn = []learned{one}
	} else {
		f.note("the run has no curves yet")
	}
	f.page.Title = strings.TrimSpace("Training of " + one.asked.Agent)
	f.ask("agent", one.asked.Agent)
	f.ask("environment", one.asked.Env)
	f.ask("seed", one.asked.Seed)
	return f.config(r.dir, "config.json")
}

// ask adds a line to what was asked; an empty text adds none.
func (f *folder) ask(name, text string) {
	if text != "" {
		f.page.Asked = append(f.page.Asked, Entry{name, text})
	}
}

// config shows the configuration of a folder under a name.
func (f *folder) config(dir, name string) error {
	text, err := readText(filepath.Join(dir, "config.json"))
	if text != "" {
		f.page.Config = append(f.page.Config, Entry{name, text})
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
			err := loadJobs(ctx, part, &f.left.jobs)
			if err != nil && f.kind == rundir.Sweep && ctx.Err() == nil {
				h.unread = fmt.Sprintf("cell %s: its jobs cannot be read: %v", id, err)
			} else if err != nil {
				errs = append(errs, err)
			}
			h.jobs = true
		}
		if h.unread != "" {
			f.note("%s", h.unread)
		}
	}
	if left > 0 {
		f.note("distributions: %d trials are left out, the page takes %d jobs", left, maxJobValues)
	}
	return errors.Join(errs...)
}
