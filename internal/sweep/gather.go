package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tarry/internal/results"
)

// Gather writes the tables trials, evals, curves, jobs and tune of all done cells together, in the order of cells, and the manifest over them
// and over the cells' own manifests. What it writes depends on the cells alone: not on who ran them,
// when, and how often. Files of cells that are not whole any more are told by name and nothing is
// written. It reports false when there was nothing to do.
func (f *Folder) Gather(ctx context.Context, version string) (bool, error) {
	fresh, err := f.gather(ctx, version)
	return fresh, storage(err)
}

func (f *Folder) gather(ctx context.Context, version string) (bool, error) {
	var done []int
	for i, s := range f.Statuses() {
		if s.State == Done {
			done = append(done, i)
		}
	}
	config, err := f.gatherConfig(done)
	if err != nil {
		return false, err
	}
	if m, err := results.ReadManifest(f.Dir); err == nil && m.Config == config && m.Verify(f.Dir) == nil {
		return false, nil
	}
	if err := f.verify(done); err != nil {
		return false, err
	}
	if err := ungather(f.Dir); err != nil {
		return false, err
	}
	g := &gatherer{ctx: ctx, folder: f, done: done, meta: results.NewMeta(config, "", version)}
	err = errors.Join(gatherTable[results.Trial](g, "trials"), gatherTable[results.Eval](g, "evals"),
		gatherTable[results.Curve](g, filepath.Join(runFolder, "curves")), gatherTable[results.Job](g, "jobs"),
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

// gatherConfig says what the gathered tables are made of: the sweep and how many of its cells. The hash
// of the done cells' ids stands for which.
func (f *Folder) gatherConfig(done []int) (string, error) {
	var ids strings.Builder
	for _, i := range done {
		ids.WriteString(f.ids[i] + "\n")
	}
	text, err := json.Marshal(map[string]any{"sweep": f.Spec.Name, "sweep_sha256": f.SHA256, "cells": f.Len(), "done": len(done), "done_sha256": sweepSum("", []byte(ids.String()))})
	return string(text), err
}

// verify holds the done cells' files against their manifests.
func (f *Folder) verify(done []int) error {
	var errs []error
	for _, i := range done {
		dir := f.CellDir(i)
		m, err := results.ReadManifest(dir)
		if err == nil {
			err = m.Verify(dir)
		}
		if err == nil {
			continue
		}
		if len(errs) == 10 {
			errs = append(errs, errors.New("and more"))
			break
		}
		errs = append(errs, fmt.Errorf("cell %s is broken: %w; tarry sweep retry %s %s runs it again", f.ids[i], err, f.Dir, f.ids[i]))
	}
	return errors.Join(errs...)
}

// ungather says that the gathered tables are not those of the cells any more. They stay until others
// take their place: two hosts may gather the same cells at the same time.
func ungather(dir string) error {
	return ignoreMissing(os.Remove(filepath.Join(dir, results.ManifestName)))
}

// gatherer writes the tables.
type gatherer struct {
	ctx    context.Context
	folder *Folder
	done   []int
	meta   results.Meta
	files  []string
}

// gatherTable appends the rows of the cells' table in folder from; a table that no cell has is not
// written.
func gatherTable[T results.Row](g *gatherer, from string) error {
	var zero T
	rel := filepath.Join(zero.Table(), "part-0.parquet")
	var w *results.Writer[T]
	for _, i := range g.done {
		root := filepath.Join(g.folder.CellDir(i), from)
		if _, err := os.Stat(root); errors.Is(err, os.ErrNotExist) {
			continue
		}
		if w == nil {
			var err error
			if w, err = results.Create[T](g.ctx, results.Target{Path: filepath.Join(g.folder.Dir, rel), Meta: g.meta}); err != nil {
				return err
			}
			defer w.Abort()
		}
		err := results.ScanDir(g.ctx, root, func(rows []T) error {
			for k := range rows {
				nameRow(&rows[k], g.folder.Spec.Name, g.folder.ids[i])
			}
			return w.Append(rows...)
		})
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

// nameRow puts the sweep and the cell into a row of a table that does not know of them.
func nameRow(row any, sweep, cell string) {
	switch r := row.(type) {
	case *results.Curve:
		r.Experiment, r.Cell = sweep, cell
	case *results.Tune:
		r.Experiment, r.Cell = sweep, cell
	}
}
