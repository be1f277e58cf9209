// Package schedinspectorref compares base rules and inspectors in the loop of SchedInspector. A folder
// holds files, of which several sets may stand beside one another, HEADsequences.csv and so on:
//
//	sequences.csv     base_rule, inspector, start_index, mean_bounded_slowdown, skips, decisions
//	jobs.csv          base_rule, inspector, start_index, job_id, submit, start, run, request, processors
//	observations.csv  start_index, decision, time, the seven features, action, queue
//
// A file of sequences with backfill in its name is of that. The episodes are of a log beside them,
// else of the log in the shared data, and have 128 jobs, or as many as the log has left. Starts and
// counts are to be equal, scores and
// features to the digits that are stated. Observations are of the base rule sjf and of the actions that
// stand beside them.
package schedinspectorref

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tarry/baselines/inspected"
	"tarry/env/inspect/schedinspector"
	"tarry/fidelity/reference"
	"tarry/traces/intake"
	"tarry/traces/swf"
)

const (
	// within is how far a score may be off, relative to it; seen how far a feature.
	within = 1e-11
	seen   = 1e-8
	// jobs is how many an episode has, as far as the log has so many.
	jobs = 128

	logFile      = "lublin_256.swf"
	tail         = ".csv"
	sequences    = "base_rule inspector start_index mean_bounded_slowdown skips decisions"
	starts       = "base_rule inspector start_index job_id submit start run request processors"
	observations = "start_index decision time " + features + " action queue"
	features     = "wait request_time processors free can_run skipped queue_cost"
)

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Reader{Name: "schedinspector", Knows: func(f *reference.Folder) bool {
		return slices.ContainsFunc(f.Files, func(name string) bool { return form(f, name) == sequences })
	}, Compare: compare}
}

// form is the columns of a file out of the forms that are compared; "" = none.
func form(f *reference.Folder, name string) string {
	if !strings.HasSuffix(name, tail) {
		return ""
	}
	rows, err := reference.ReadRows(filepath.Join(f.Dir, name))
	if err != nil {
		return ""
	}
	for _, columns := range []string{sequences, starts, observations} {
		if rows.Has(strings.Fields(columns)) {
			return columns
		}
	}
	return ""
}

func compare(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := reference.Outcome{Unit: "relative"}
	log, ids, err := readLog(f)
	if err != nil {
		return o, err
	}
	c := &comparer{o: &o, log: log, ids: ids}
	for _, name := range f.Files {
		columns := form(f, name)
		if columns == "" {
			if strings.HasSuffix(name, tail) {
				o.Leave("rows", name, 0, "no comparer has their form")
			}
			continue
		}
		rows, err := reference.ReadRows(filepath.Join(f.Dir, name))
		if err != nil {
			return o, err
		}
		c.rows, c.file = rows, name
		c.set = schedinspector.Setting{Backfill: strings.Contains(name, "backfill")}
		switch columns {
		case sequences:
			c.each("episodes", c.sequence)
		case starts:
			c.each("jobs", c.job)
		default:
			c.each("observations", c.observation)
		}
		if ctx.Err() != nil {
			return o, ctx.Err()
		}
	}
	return o, nil
}

// readLog reads the log of the episodes, and the place of each job in it by its number.
func readLog(f *reference.Folder) (*schedinspector.Log, map[string]int, error) {
	name := logFile
	if i := slices.IndexFunc(f.Files, func(n string) bool { return strings.HasSuffix(n, ".swf") }); i >= 0 {
		name = f.Files[i]
	}
	path, err := f.Find(name, "traces/lublin-256")
	if err != nil {
		return nil, nil, err
	}
	w, report, err := swf.Published{}.Read(path, intake.Options{})
	if err != nil {
		return nil, nil, err
	}
	log, ids := &schedinspector.Log{Procs: report.Processors}, map[string]int{}
	for i := range w.Jobs {
		j := &w.Jobs[i]
		ids[j.ID] = i
		one := schedinspector.Job{Submit: j.Submit.Seconds(), Run: j.RunTime().Seconds(), Request: j.Request.Seconds(),
			Procs: int(j.GPUs)}
		log.Jobs = append(log.Jobs, one)
		log.Longest = max(log.Longest, one.Request)
	}
	return log, ids, log.Validate()
}

// comparer is what the rows of a folder are compared with.
type comparer struct {
	o    *reference.Outcome
	log  *schedinspector.Log
	ids  map[string]int
	file string
	rows *reference.Rows
	set  schedinspector.Setting
	// The episode that the rows of jobs and observations are of.
	world schedinspector.World
	key   string
	ended bool
}

// each compares row by row.
func (c *comparer) each(kind string, one func(l *reference.Line) error) {
	c.key = ""
	for row := range c.rows.Cells {
		l := &reference.Line{Rows: c.rows, Row: row}
		err := one(l)
		if l.Err != nil {
			err = l.Err
		}
		c.o.Row(kind, c.file, row, err)
	}
}

// open begins the episode of a row under a base rule.
func (c *comparer) open(l *reference.Line, base string) (err error) {
	if c.set.Base, err = schedinspector.RuleOf(base); err != nil {
		return err
	}
	if c.set.First = l.Count("start_index"); l.Err != nil {
		return l.Err
	}
	c.ended, c.set.Jobs = false, min(jobs, len(c.log.Jobs)-c.set.First)
	return c.world.Begin(c.log, c.set)
}

// play plays the episode of a row to its end.
func (c *comparer) play(l *reference.Line) error {
	i, err := inspected.InspectorOf(l.Rows.Text(l.Row, "inspector"))
	if err == nil {
		err = c.open(l, l.Rows.Text(l.Row, "base_rule"))
	}
	for err == nil && !c.ended {
		c.ended = c.world.Act(i.Refuses(&c.world))
	}
	return err
}

func (c *comparer) sequence(l *reference.Line) error {
	if err := c.play(l); err != nil {
		return err
	}
	refusals, decisions := c.world.Counts()
	if err := c.o.Cells(l, within, "mean_bounded_slowdown", c.world.Slowdown()); err != nil {
		return err
	}
	return c.o.Cells(l, 0, "skips decisions", float64(refusals), float64(decisions))
}

// job compares the start of a job; the rows of an episode stand together.
func (c *comparer) job(l *reference.Line) error {
	cells := l.Rows.Cells[l.Row]
	if key := strings.Join(cells[:3], " "); key != c.key {
		if err := c.play(l); err != nil {
			return err
		}
		c.key = key
	}
	at, ok := c.ids[l.Rows.Text(l.Row, "job_id")]
	if at -= c.set.First; !ok || at < 0 || at >= c.set.Jobs {
		return fmt.Errorf("job %q is not of the episode", l.Rows.Text(l.Row, "job_id"))
	}
	j := &c.log.Jobs[c.set.First+at]
	return c.o.Cells(l, 0, "submit start run request processors", j.Submit, c.world.Start(at), j.Run, j.Request,
		float64(j.Procs))
}

// observation compares what the inspector sees, and takes the action that is stated.
func (c *comparer) observation(l *reference.Line) error {
	if k := l.Count("decision"); k == 0 || c.key == "" {
		if err := c.open(l, "sjf"); err != nil {
			return err
		}
		c.key = "open"
	}
	if _, decisions := c.world.Counts(); c.ended || l.Count("decision") != decisions {
		return fmt.Errorf("decision %d, expected %d of an episode that has not ended", l.Count("decision"), decisions)
	}
	var obs [schedinspector.NumFeatures]float64
	c.world.Observe(obs[:])
	err := c.o.Cells(l, seen, features, obs[:]...)
	if err == nil {
		err = c.o.Cells(l, 0, "time queue", c.world.Now(), float64(c.world.Waiting()))
	}
	c.ended = c.world.Act(l.Count("action") == 1)
	return err
}
