// Package runs lists the folders of runs below a folder: what each ran, which settings differ, and
// its main number. It reads config.json and the small tables, never jobs.
//
// Reading guide: List (runs.go) finds and reads the folders; headline.go reads the main number of
// each kind, costs.go outside the simulator, status.go how far it is; Differing (differ.go) finds
// the settings in which runs differ.
package runs

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
	"time"

	"tarry/internal/rundir"
	"tarry/output/results"
)

// Run is a folder of results.
type Run struct {
	// Name is its path below the folder that was listed; Dir its path.
	Name, Dir string
	// Kind is compare, eval, train, tune or sweep.
	Kind string
	// Date is the time of the newest table: results hold no time of their own. Zero = no table.
	Date time.Time
	// What are the policies, or the agent, joined by commas.
	What string
	// Settings are the settings of config.json by their path; values are JSON.
	Settings map[string]string
	// Headline is the main number.
	Headline Headline
	// Status states how far it is.
	Status Status
	// Err states what could not be read; nil = nothing.
	Err error

	cells map[string]int // of a sweep, by state
}

// List reads the runs below a folder, or the folder itself if it is one; workers bounds how many are
// read at once. A run that cannot be read has an Err.
func List(ctx context.Context, dir string, workers int) ([]Run, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is a file, %s", dir, rundir.Expected)
	}
	members := []rundir.Member{{Name: filepath.Base(dir), Dir: dir, Kind: rundir.KindOf(dir)}}
	if members[0].Kind == "" {
		if members, err = rundir.Members(dir); err != nil {
			return nil, err
		}
	}
	out := make([]Run, len(members))
	next := make(chan int)
	var all sync.WaitGroup
	for range max(1, workers) {
		all.Go(func() {
			for i := range next {
				out[i] = read(ctx, members[i])
			}
		})
	}
	for i := range members {
		next <- i
	}
	close(next)
	all.Wait()
	return out, ctx.Err()
}

// read reads one run.
func read(ctx context.Context, m rundir.Member) (r Run) {
	defer func() { r.Status = r.status() }()
	r = Run{Name: m.Name, Dir: m.Dir, Kind: string(m.Kind), Headline: none()}
	table := map[rundir.Kind]string{rundir.Trials: "trials", rundir.Train: "curves", rundir.Tune: "tune",
		rundir.Sweep: "cells.jsonl"}[m.Kind]
	if m.Kind == rundir.Trials {
		r.Kind = "compare"
		if exists(filepath.Join(m.Dir, results.Eval{}.Table())) {
			r.Kind = "eval"
		}
	}
	outside := r.Kind == "eval" && !exists(filepath.Join(m.Dir, table))
	if outside {
		table = results.Eval{}.Table()
	}
	r.Date = newest(filepath.Join(m.Dir, table))
	if m.Kind == rundir.Sweep {
		r.Err = r.sweep()
		return r
	}
	settings, err := rundir.Settings(m.Dir)
	if err == nil && settings == nil {
		err = fmt.Errorf("%s: %w", filepath.Join(m.Dir, "config.json"), fs.ErrNotExist)
	}
	r.Settings = settings
	r.What = whatOf(settings)
	switch {
	case outside:
		err = errors.Join(err, r.costs(ctx))
	case m.Kind == rundir.Trials:
		err = errors.Join(err, r.compared(ctx))
	case m.Kind == rundir.Train:
		err = errors.Join(err, r.trained(ctx))
	case m.Kind == rundir.Tune:
		err = errors.Join(err, r.tuned(ctx))
	}
	r.Err = err
	return r
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// newest is the latest time of a file below a path; links are not followed.
func newest(path string) (out time.Time) {
	// what cannot be read has no time, and reading its table reports why
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().After(out) {
			out = info.ModTime()
		}
		return nil
	})
	return out
}

// whatOf gives the policies, the agent or the tuned policy of a configuration.
func whatOf(settings map[string]string) string {
	for _, key := range []string{"agent", "policy"} {
		var one string
		if json.Unmarshal([]byte(settings[key]), &one) == nil && one != "" {
			return one
		}
	}
	var all []string
	for _, key := range []string{"policies", "baselines"} {
		var some []string
		if json.Unmarshal([]byte(settings[key]), &some) == nil {
			all = append(all, some...)
		}
	}
	return strings.Join(all, ", ")
}
