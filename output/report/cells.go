package report

import (
	"context"
	"path/filepath"
	"slices"

	"tarry/internal/rundir"
)

// sweep reads the cells. The stamp is taken before, so that what changes meanwhile is seen at the
// next look.
func (r *Reader) sweep(ctx context.Context, f *folder) (stamp, error) {
	marks := stamp{markOf(filepath.Join(r.dir, "sweep.json")), markOf(filepath.Join(r.dir, "cells.jsonl")),
		markOf(filepath.Join(r.dir, rundir.LabelsName))}
	s, cells, err := readSweep(r.dir)
	if err != nil {
		return nil, err
	}
	f.sweep = s
	f.ask("sweep", s.Name)
	f.ask("question", s.Question)
	if r.opt.About != nil {
		for _, e := range r.opt.About() {
			f.ask(e.Name, e.Text)
		}
	}
	f.ask("kind of cells", s.Kind)
	unread := 0
	var whole *gathered
	if len(r.held) < len(cells) {
		whole = readGathered(ctx, r.dir, f.left.trials)
	}
	for i := range cells {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		dir := filepath.Join(r.dir, "cells", filepath.FromSlash(cells[i].ID))
		s, text, m, err := readStatus(dir)
		cell := stamp{m}
		if s.State != "done" { // else nothing but its state states otherwise
			cell = append(cell, stampOfWork(dir)...)
		}
		if err == nil {
			err = r.cell(ctx, f, whole, &cells[i], cellAt{i, dir, s, text})
		} else {
			f.page.Progress.Total++
			f.page.Progress.Failed++
		}
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if unread++; unread <= maxFailures {
				f.note("cell %s cannot be read: %v", cells[i].ID, err)
			}
		}
		marks = append(marks, cell...)
	}
	if unread > maxFailures {
		f.note("%d more cells cannot be read", unread-maxFailures)
	}
	if n := f.page.Progress.Failed - len(f.page.Failures); n > 0 {
		f.note("%d more failed cells are not shown", n)
	}
	text, err := readText(filepath.Join(r.dir, "sweep.json"))
	f.page.Config = append(f.page.Config, Entry{"sweep.json", text})
	return marks, err
}

// cellAt is a cell's number, its folder, and its STATUS as value and text.
type cellAt struct {
	number int
	dir    string
	status status
	text   string
}

// cell reads one cell: its state, its trials when it is done, its curves as far as they are.
func (r *Reader) cell(ctx context.Context, f *folder, whole *gathered, c *sweepCell, at cellAt) error {
	p := &f.page.Progress
	p.Total++
	dir, s, text := at.dir, at.status, at.text
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
	for _, a := range axes {
		if a.Name == "policy" && !slices.Contains(f.order, a.Value) {
			f.order = append(f.order, a.Value)
		}
	}
	if f.sweep.Kind != "simulate" || s.State != "done" { // such a cell neither trains nor tunes
		err = f.fitted(ctx, dir, axes, c)
	}
	if err != nil || s.State != "done" {
		return err
	}
	h := r.held[c.ID]
	if h == nil || h.status != text {
		runs, ok := whole.of(dir, c, &s)
		jobless := ok && !whole.jobs
		if !ok {
			left := f.left.trials
			if runs, err = loadRuns(ctx, dir, true, &left); err != nil {
				return err
			}
		}
		place(runs, c, axes, at.number)
		h = &held{status: text, runs: runs, jobs: jobless}
		r.held[c.ID] = h
	}
	f.left.trials -= int64(len(h.runs)) // runs that were read before count, too
	f.take(h.runs)
	return nil
}

// fitted reads what a cell trained or tuned.
func (f *folder) fitted(ctx context.Context, dir string, axes []axisValue, c *sweepCell) error {
	one, err := loadLearned(ctx, filepath.Join(dir, "run"), &f.left.curves)
	if len(one.rows) > 0 {
		one.label, one.name, one.seed = join(axes, ""), c.ID, c.Seed
		f.learn = append(f.learn, one)
	}
	if err != nil {
		return err
	}
	t, err := loadTuned(ctx, filepath.Join(dir, "run"), &f.left.tune)
	if len(t.rows) > 0 {
		t.label, t.axes, t.seed = join(axes, ""), axes, c.Seed
		f.tuned = append(f.tuned, t)
	}
	return err
}
