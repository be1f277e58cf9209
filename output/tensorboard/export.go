package tensorboard

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tarry/internal/rundir"
	"tarry/output/results"
)

// eventFile is the name of each run's file: TensorBoard looks for "tfevents" in it and sorts by the
// number, which others take from a clock.
const eventFile = "events.out.tfevents.0000000000.tarry"

// ErrAsked is in every error about a folder that is none of a training: a fault of the question.
var ErrAsked = errors.New("tensorboard")

// Exported is what Export wrote.
type Exported struct {
	// Files are the paths, in the order of the runs.
	Files []string
	// Untimed are the names of the runs ("" = the only one) without recorded wall times; their
	// points have the time 0.
	Untimed []string
}

// Export writes the curves of a folder of tarry train, of all cells of a sweep that have some, or
// of all such folders below another, as event files below out. A run's file is in the folder of its
// id or path, so that TensorBoard names the run after it. Times are from the table timing.
// Cells that have not begun are passed over; no curve at all is an ErrAsked.
func Export(ctx context.Context, dir, out string) (Exported, error) {
	var done Exported
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return done, fmt.Errorf("%w: %s does not exist, %s", ErrAsked, dir, rundir.Expected)
	}
	runs, err := runsOf(dir)
	if err != nil {
		return done, fmt.Errorf("tensorboard: %w", err)
	}
	columns, err := readSettings(runs)
	if err != nil {
		return done, fmt.Errorf("tensorboard: %w", err)
	}
	for i := range runs {
		r := &runs[i]
		scalars, s, err := r.read(ctx)
		if err != nil {
			return done, fmt.Errorf("tensorboard: %w", err)
		}
		if i == 0 {
			s.Columns, s.Metrics = columns, finals()
		}
		path := filepath.Join(out, filepath.FromSlash(r.name), eventFile)
		if err := results.WriteFile(path, Encode(scalars, s)); err != nil {
			return done, fmt.Errorf("tensorboard: %w", err)
		}
		if done.Files = append(done.Files, path); s.Start == 0 {
			done.Untimed = append(done.Untimed, r.name)
		}
	}
	if len(done.Files) == 0 {
		return done, fmt.Errorf("%w: %s holds no curves, expected a folder of tarry train, of a sweep that trains, "+
			"or one that holds such folders", ErrAsked, dir)
	}
	return done, nil
}

// trained is a training run: its folder, and its path below the exported folder.
type trained struct {
	dir, name string
	settings  []Setting
}

// read gives the scalars of a run and its session.
func (r *trained) read(ctx context.Context) ([]Scalar, *Session, error) {
	rows, err := results.ReadDir[results.Curve](ctx, filepath.Join(r.dir, results.Curve{}.Table()))
	if err != nil {
		return nil, nil, err
	}
	var times []results.Timing
	folder := filepath.Join(r.dir, results.Timing{}.Table())
	if _, err := os.Stat(folder); err == nil {
		if times, err = results.ReadDir[results.Timing](ctx, folder); err != nil {
			return nil, nil, err
		}
	}
	scalars := Scalars(rows, times)
	s := &Session{Settings: r.settings}
	slices.SortFunc(times, func(a, b results.Timing) int { return cmp.Compare(a.Update, b.Update) })
	if n := len(times); n > 0 && times[0].Unix > 0 {
		s.Start, s.End = times[0].Unix-max(0, times[0].Wall), times[n-1].Unix
	}
	_, err = os.Stat(filepath.Join(r.dir, results.ManifestName)) // which is written last
	s.Ended = err == nil
	return append(scalars, final(rows, times, s.End)...), s, nil
}

// finals are the metrics of the table of runs.
func finals() []Metric {
	return []Metric{{"final/best_validation", "best return on validation"},
		{"final/return_mean", "last return of training"}, {"final/env_steps", "environment steps"},
		{"final/wall_s", "wall time (s)"}}
}

// final gives what a run came to, at its last step.
func final(rows []results.Curve, times []results.Timing, wall float64) []Scalar {
	if len(rows) == 0 {
		return nil
	}
	last := slices.MaxFunc(rows, func(a, b results.Curve) int { return cmp.Compare(a.Update, b.Update) })
	best, spent := math.NaN(), math.NaN()
	for _, r := range rows {
		if !(r.Validation <= best) && !math.IsNaN(r.Validation) {
			best = r.Validation
		}
	}
	if len(times) > 0 {
		spent = 0
		for _, t := range times {
			spent += t.Wall
		}
	}
	var out []Scalar
	for i, v := range [...]float64{best, last.ReturnMean, float64(last.EnvSteps), spent} {
		out = append(out, Scalar{finals()[i].Tag, last.EnvSteps, v, wall})
	}
	return out
}

// runsOf lists the folders that have curves.
func runsOf(dir string) ([]trained, error) {
	switch rundir.KindOf(dir) {
	case rundir.Sweep:
		return cellsOf(dir)
	case "":
	default:
		if !curvesIn(dir) {
			return nil, nil
		}
		return []trained{{dir: dir}}, nil
	}
	list, err := rundir.Members(dir)
	if err != nil {
		return nil, err
	}
	var out []trained
	for _, m := range list {
		runs, err := runsOf(m.Dir)
		if err != nil {
			return nil, err
		}
		for _, r := range runs {
			r.name = path.Join(m.Name, r.name)
			out = append(out, r)
		}
	}
	return out, nil
}

// cellsOf lists the cells of a sweep that have curves.
func cellsOf(dir string) ([]trained, error) {
	f, err := os.Open(filepath.Join(dir, "cells.jsonl"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []trained
	d := json.NewDecoder(f)
	for n := 0; ; n++ {
		var c struct {
			ID string `json:"id"`
		}
		err := d.Decode(&c)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err == nil && (c.ID == "" || !filepath.IsLocal(filepath.FromSlash(c.ID))) {
			err = fmt.Errorf("the id is %q, expected key=value/...", c.ID)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: cell %d: %w", f.Name(), n, err)
		}
		run := filepath.Join(dir, "cells", filepath.FromSlash(c.ID), "run")
		if curvesIn(run) {
			out = append(out, trained{dir: run, name: c.ID})
		}
	}
}

// readSettings fills in the settings of all runs and gives the columns of their table: settings in
// which runs differ first.
func readSettings(runs []trained) ([]Column, error) {
	values := map[string]map[string]bool{} // name -> values
	have := map[string]int{}
	var columns []Column
	for i := range runs {
		all, err := rundir.Settings(runs[i].dir)
		if err != nil {
			return nil, err
		}
		taken := map[string]bool{}
		for _, key := range slices.SortedFunc(maps.Keys(all), shorter) {
			name := key[strings.LastIndexByte(key, '.')+1:]
			if taken[name] && all[key] == all[name] {
				continue // the seed stands twice
			}
			if taken[name] {
				name = key
			}
			taken[name] = true
			s := Setting{name, all[key]}
			runs[i].settings = append(runs[i].settings, s)
			if values[name] == nil {
				values[name] = map[string]bool{}
				columns = append(columns, Column{Setting: s})
			}
			values[name][s.Value] = true
			have[name]++
		}
	}
	for i := range columns {
		name := columns[i].Name
		columns[i].Differs = len(values[name]) > 1 || have[name] < len(runs)
	}
	slices.SortStableFunc(columns, func(a, b Column) int {
		switch {
		case a.Differs == b.Differs:
			return 0
		case a.Differs:
			return -1
		}
		return 1
	})
	return columns, nil
}

// shorter orders keys by their depth, then by their letters.
func shorter(a, b string) int {
	return cmp.Or(cmp.Compare(strings.Count(a, "."), strings.Count(b, ".")), cmp.Compare(a, b))
}

func curvesIn(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, results.Curve{}.Table()))
	return err == nil
}

// Scalars gives the columns of curves in the order of their steps, each with the time of its
// update; an update whose time was not recorded has the time of the one before.
func Scalars(rows []results.Curve, times []results.Timing) []Scalar {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b results.Curve) int { return cmp.Compare(a.Update, b.Update) })
	at := map[int64]results.Timing{}
	for _, t := range times {
		at[t.Update] = t
	}
	var out []Scalar
	wall := 0.0
	for i := range rows {
		r := &rows[i]
		speed := math.NaN()
		if t, there := at[r.Update]; there {
			if speed = t.EnvStepsPerS; t.Unix > wall {
				wall = t.Unix
			}
		}
		for _, c := range [...]struct {
			tag   string
			value float64
		}{
			{"return/mean", r.ReturnMean}, {"return/std", r.ReturnStd}, {"return/validation", r.Validation},
			{"loss/policy", r.LossPolicy}, {"loss/value", r.LossValue},
			{"policy/entropy", r.Entropy}, {"policy/kl", r.KL}, {"policy/clip_frac", r.ClipFrac},
			{"value/explained_variance", r.ExplVar}, {"train/learning_rate", r.LR},
			{"train/episodes", float64(r.Episodes)}, {"train/steps_per_s", speed},
		} {
			out = append(out, Scalar{c.tag, r.EnvSteps, c.value, wall})
		}
	}
	return out
}
