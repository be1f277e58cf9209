package tensorboard

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"tarry/internal/results"
)

// eventFile is the name of each run's file: TensorBoard looks for "tfevents" in it and sorts by the
// number, which others take from a clock.
const eventFile = "events.out.tfevents.0000000000.tarry"

// Export writes the curves of a folder of tarry train, or of all cells of a sweep that have some,
// as event files below out, and gives their paths in order. A cell's file is in the folder of its
// id, so that TensorBoard names the run after it. Cells that have not begun are passed over; no
// curve at all is an error.
func Export(ctx context.Context, dir, out string) ([]string, error) {
	runs, err := runsOf(dir)
	if err != nil {
		return nil, fmt.Errorf("tensorboard: %w", err)
	}
	var written []string
	for _, r := range runs {
		rows, err := results.ReadDir[results.Curve](ctx, filepath.Join(r.dir, results.Curve{}.Table()))
		if err != nil {
			return written, fmt.Errorf("tensorboard: %w", err)
		}
		path := filepath.Join(out, filepath.FromSlash(r.name), eventFile)
		if err := results.WriteFile(path, Encode(Scalars(rows))); err != nil {
			return written, fmt.Errorf("tensorboard: %w", err)
		}
		written = append(written, path)
	}
	if len(written) == 0 {
		return nil, fmt.Errorf("tensorboard: %s holds no curves, expected a folder of tarry train or of a sweep that trains", dir)
	}
	return written, nil
}

// trained is a training run: its folder, and its path below the exported folder.
type trained struct{ dir, name string }

// runsOf lists the folders that have curves.
func runsOf(dir string) ([]trained, error) {
	f, err := os.Open(filepath.Join(dir, "cells.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		if !curvesIn(dir) {
			return nil, nil
		}
		return []trained{{dir, ""}}, nil
	}
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
			out = append(out, trained{run, c.ID})
		}
	}
}

func curvesIn(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, results.Curve{}.Table()))
	return err == nil
}

// Scalars gives the columns of curves in the order of their steps.
func Scalars(rows []results.Curve) []Scalar {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b results.Curve) int { return cmp.Compare(a.Update, b.Update) })
	var out []Scalar
	for i := range rows {
		r := &rows[i]
		for _, c := range [...]struct {
			tag   string
			value float64
		}{
			{"return/mean", r.ReturnMean}, {"return/std", r.ReturnStd}, {"return/validation", r.Validation},
			{"loss/policy", r.LossPolicy}, {"loss/value", r.LossValue},
			{"policy/entropy", r.Entropy}, {"policy/kl", r.KL}, {"policy/clip_frac", r.ClipFrac},
			{"value/explained_variance", r.ExplVar}, {"train/learning_rate", r.LR}, {"train/episodes", float64(r.Episodes)},
		} {
			out = append(out, Scalar{c.tag, r.EnvSteps, c.value})
		}
	}
	return out
}
