package app

import (
	"context"
	"errors"
	"math"
	"path/filepath"

	"tarry/output/figure"
	"tarry/output/results"
	"tarry/run/train"
)

// drawTraining draws the learning curve of a run from its table curves and names the files.
func (from program) drawTraining(ctx context.Context, dir, run string) (string, error) {
	rows, err := results.ReadDir[results.Curve](ctx, filepath.Join(run, "curves"))
	if err != nil {
		return "", err
	}
	cfg, err := train.Recorded(&from.Catalogues, run)
	if err != nil {
		return "", err
	}
	baseline, mean, err := cfg.Reference()
	if err != nil {
		return "", err
	}
	var marks []figure.Mark
	if baseline != "" {
		marks = []figure.Mark{{At: mean, Name: baseline + " on validation"}}
	}
	f, err := learningCurve(rows, marks)
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "learning")
	return name + " (.png, .svg, .pdf, .csv, .parquet)", f.Save(dir, "learning")
}

// learningCurve draws returns over environment steps: of the last training episodes, drawn at
// random and acted in with random actions, and of the validation episodes.
func learningCurve(rows []results.Curve, marks []figure.Mark) (*figure.Figure, error) {
	training, validation := figure.Series{Name: "training, last 100 episodes"}, figure.Series{Name: "validation"}
	for _, r := range rows {
		x := float64(r.EnvSteps)
		training.X, training.Y = append(training.X, x), append(training.Y, r.ReturnMean)
		if !math.IsNaN(r.Validation) {
			validation.X, validation.Y = append(validation.X, x), append(validation.Y, r.Validation)
		}
	}
	if len(rows) == 0 {
		return nil, errors.New("no updates to draw")
	}
	f, err := figure.Lines("", figure.Axis{Label: "environment steps"},
		figure.Axis{Label: "mean return of an episode", Marks: marks}, []figure.Series{training, validation})
	if err == nil {
		f.Note = "n=1 seed of training: no interval. tarry figures of a folder of several runs pools their seeds."
	}
	return f, err
}
