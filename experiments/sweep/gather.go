package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"tarry/output/results"
	"tarry/run/lock"
)

// Gather writes the tables trials, evals, curves, jobs, predictions, measures and tune of all done
// cells together, in the order of cells, and the manifest over them and over the cells' own
// manifests. What it writes depends on the cells alone: not on who ran them, when, and how often.
// Cells whose files are not what they were are named and nothing is written, though it was gathered
// before. It reports false when there was nothing to do.
func (f *Folder) Gather(ctx context.Context, version string) (bool, error) {
	fresh, err := f.gather(ctx, version)
	return fresh, storage(err)
}

func (f *Folder) gather(ctx context.Context, version string) (bool, error) {
	release, locked := f.gatherAlone() // without it one can still look
	if locked == nil {
		defer release()
	}
	var done []int
	var rows []*cellRows
	for i, s := range f.Statuses() {
		if s.State == Done {
			done, rows = append(done, i), append(rows, f.rows.of(i, s.ManifestSHA256))
		}
	}
	if locked == nil {
		if err := f.dropLeases(done); err != nil {
			return false, err
		}
	}
	config, err := f.gatherConfig(done)
	if err != nil {
		return false, err
	}
	if err := f.verify(ctx, done); err != nil {
		return false, err
	}
	if m, err := results.ReadManifest(f.Dir); err == nil && m.Config == config && m.Verify(f.Dir) == nil {
		return false, nil
	}
	if locked != nil {
		return false, locked
	}
	if err := ungather(f.Dir); err != nil {
		return false, err
	}
	g := &gatherer{ctx: ctx, folder: f, done: done, rows: rows, meta: results.NewMeta(config, "", version)}
	g.meta.Codec = codecOf(f.Spec.Base)
	if err := g.spell(); err != nil {
		return false, err
	}
	err = errors.Join(gatherTable[results.Trial](g, "trials"), gatherTable[results.Eval](g, "evals"),
		gatherTable[results.Curve](g, filepath.Join(runFolder, "curves")), gatherTable[results.Job](g, "jobs"),
		gatherTable[results.Prediction](g, "predictions"), gatherTable[results.Measure](g, "measures"),
		gatherTable[results.Tune](g, filepath.Join(runFolder, "tune")))
	if err != nil {
		return false, err
	}
	for _, i := range done {
		rel := filepath.Join(cellsFolder, filepath.FromSlash(f.ids[i]), results.ManifestName)
		g.files = append(g.files, rel)
	}
	return true, results.WriteManifest(ctx, f.Dir, g.meta, append(g.files, sweepName, cellsName))
}

// gatherConfig reports what the gathered tables are made of: the sweep and how many of its cells.
// The hash of the done cells' ids stands for which.
func (f *Folder) gatherConfig(done []int) (string, error) {
	var ids strings.Builder
	for _, i := range done {
		ids.WriteString(f.ids[i] + "\n")
	}
	text, err := json.Marshal(map[string]any{"sweep": f.Spec.Name, "sweep_sha256": f.SHA256, "cells": f.Len(),
		"done": len(done), "done_sha256": sweepSum("", []byte(ids.String()))})
	return string(text), err
}

// gatherMark is what one process locks to gather: cells may run meanwhile, under the folder's own
// lock.
const gatherMark = ".gathering"

// gatherAlone waits until no other process gathers and removes what killed ones left. Where the
// file system has no locks, two hosts that gather at the same time can disturb each other: one of
// them notes it, and its command can be given again.
func (f *Folder) gatherAlone() (release func(), err error) {
	if release, err = lock.Await(f.Dir, gatherMark); err != nil {
		return nil, err
	}
	for _, table := range gatheredTables() {
		if _, err = results.RemoveTemp(filepath.Join(f.Dir, table)); err != nil && !errors.Is(err, os.ErrNotExist) {
			break
		}
		err = nil
	}
	if err == nil {
		_, err = results.RemoveTempOf(filepath.Join(f.Dir, results.ManifestName))
	}
	if err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// leasePrefix begins the names of the files in a cell's folder with its host: see the engine
// dir.
const leasePrefix = "lease."

// dropLeases removes the leases of done cells: a host that was killed after it noted that a cell is
// done left its own.
func (f *Folder) dropLeases(done []int) error {
	for _, i := range done {
		dir := f.CellDir(i)
		entries, err := os.ReadDir(dir)
		if err != nil {
			if err = ignoreMissing(err); err != nil {
				return err
			}
		}
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), leasePrefix) {
				continue
			}
			if err := ignoreMissing(os.Remove(filepath.Join(dir, e.Name()))); err != nil {
				return err
			}
		}
	}
	return nil
}

// gatheredTables lists the folders that Gather writes.
func gatheredTables() []string {
	return []string{"trials", "evals", "curves", "jobs", "predictions", "measures", "tune"}
}

// ungather states that the gathered tables are out of date. They stay until
// others take their place: two hosts may gather the same cells at the same time.
func ungather(dir string) error {
	return ignoreMissing(os.Remove(filepath.Join(dir, results.ManifestName)))
}

// gatherer writes the tables.
type gatherer struct {
	ctx    context.Context
	folder *Folder
	done   []int
	rows   []*cellRows // of the cells of done; nil = they are read
	meta   results.Meta
	files  []string
	axes   []results.Axis
}

// spell sets the axes, which are columns of all gathered tables: the axes of the sweep except what
// is optimised, and the seed.
func (g *gatherer) spell() error {
	s := g.folder.Spec
	for i := range s.Axes {
		a := &s.Axes[i]
		if a.Optimise != "" {
			continue
		}
		values, err := a.names()
		if err != nil {
			return err
		}
		g.axes = append(g.axes, results.Axis{Name: a.Name, Values: values})
	}
	seeds := results.Axis{Name: seedAxis}
	for _, v := range s.seeds() {
		seeds.Values = append(seeds.Values, strconv.FormatUint(v, 10))
	}
	g.axes = append(g.axes, seeds)
	return nil
}

// at gives a writer the values of a cell's axes.
func (g *gatherer) at(cell int, set func(values ...string) error) error {
	c, err := g.folder.Cell(cell)
	if err != nil {
		return err
	}
	values := make([]string, len(g.axes))
	for i, a := range g.axes[:len(g.axes)-1] {
		values[i] = c.Axes[a.Name]
	}
	values[len(values)-1] = strconv.FormatUint(c.Seed, 10)
	return set(values...)
}

// gatherTable appends the rows of the cells' table in folder from; a table that no cell has is not
// written.
func gatherTable[T results.Row](g *gatherer, from string) error {
	var zero T
	rel := filepath.Join(zero.Table(), "part-0.parquet")
	var w *results.Writer[T]
	for k, i := range g.done {
		root := filepath.Join(g.folder.CellDir(i), from)
		if _, err := os.Stat(root); errors.Is(err, os.ErrNotExist) {
			continue
		}
		if w == nil {
			var err error
			if w, err = results.Create[T](g.ctx, results.Target{Path: filepath.Join(g.folder.Dir, rel), Meta: g.meta,
				Axes: g.axes}); err != nil {
				return err
			}
			defer w.Abort()
		}
		if err := g.at(i, w.At); err != nil {
			return err
		}
		each := func(rows []T) error {
			for k := range rows {
				nameRow(&rows[k], g.folder.Spec.Name, g.folder.ids[i])
			}
			return w.Append(rows...)
		}
		err := error(nil)
		if rows, kept := tableOf[T](g.rows[k]); kept {
			err = each(rows)
		} else {
			err = results.ScanDir(g.ctx, root, each)
		}
		if err != nil {
			return fmt.Errorf("cell %s: %w", g.folder.ids[i], err)
		}
	}
	if w == nil {
		return os.RemoveAll(filepath.Join(g.folder.Dir, zero.Table()))
	}
	g.files = append(g.files, rel)
	return w.Close()
}

// nameRow puts the sweep and the cell into a row of a table that does not have them.
func nameRow(row any, sweep, cell string) {
	switch r := row.(type) {
	case *results.Curve:
		r.Experiment, r.Cell = sweep, cell
	case *results.Tune:
		r.Experiment, r.Cell = sweep, cell
	}
}
