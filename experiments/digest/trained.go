package digest

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"tarry/experiments/sweep"
	"tarry/internal/stats"
	"tarry/output/figure"
	"tarry/output/results"
	"tarry/run/parts"
	"tarry/run/train"
)

// loose gives every row the cell that its keys describe: runs have none.
type loose struct{}

// Cell implements Cells.
func (loose) Cell(k results.Keys) (sweep.Cell, bool) {
	return sweep.Cell{Seed: k.Seed, Kind: "learn"}, true
}

// trainFolders draws the curves of runs: runs that differ in the seed alone are one series.
func trainFolders(ctx context.Context, from *parts.Catalogues, dirs []string) ([]sweep.Figure, error) {
	var rows []results.Curve
	names := namer{by: map[string]string{}}
	envs := []string{}
	var baseline string
	var levels []float64
	for _, dir := range dirs {
		cfg, err := train.Recorded(from, dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		one, err := results.ReadDir[results.Curve](ctx, filepath.Join(dir, results.Curve{}.Table()))
		if err != nil {
			return nil, err
		}
		name, err := names.of(&cfg, dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		for i := range one {
			one[i].Policy, one[i].Seed = name, cfg.Seed
		}
		rows = append(rows, one...)
		index(&envs, cfg.Env)
		var mean float64
		if baseline, mean, err = cfg.Reference(); err != nil {
			return nil, fmt.Errorf("%s: the baseline on validation: %w", dir, err)
		}
		levels = append(levels, mean)
	}
	validation := figure.Axis{Label: "return on validation"}
	if baseline != "" && len(envs) == 1 {
		validation.Marks = []figure.Mark{{At: stats.Mean(levels), Name: baseline}}
	}
	b := NewBook(loose{}, nil)
	steps := figure.Axis{Label: "environment steps"}
	draw := func(name, caption string, y figure.Axis, value func(r *results.Curve) float64) {
		if points := b.curves(rows, PolicyAxis, nil, value); len(points) > 0 {
			b.paintCurves(name, caption, PolicyAxis, steps, y, points)
		}
	}
	draw("return", "Return of training, last episodes.", figure.Axis{Label: "return"},
		func(r *results.Curve) float64 { return r.ReturnMean })
	draw("validation", "Return on validation windows.", validation,
		func(r *results.Curve) float64 { return r.Validation })
	if len(b.out.figures) == 0 && len(b.out.errs) == 0 {
		return nil, fmt.Errorf("%s: no update has a number", dirs[0])
	}
	return b.Figures()
}

// namer names runs: the same for runs that differ in nothing but the seed.
type namer struct {
	by    map[string]string // configuration without seed -> name
	taken []string
}

// of gives the agent's name, with the name of the folder where another configuration has it.
func (n *namer) of(cfg *train.Config, dir string) (string, error) {
	text, err := cfg.JSON()
	if err != nil {
		return "", err
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		return "", err
	}
	delete(fields, "seed")
	if agent, ok := fields["hyperparameters"].(map[string]any); ok {
		delete(agent, "seed")
	}
	key, err := json.Marshal(fields) // by the order of keys
	if err != nil {
		return "", err
	}
	name, there := n.by[string(key)]
	if !there {
		if name = cfg.Agent; slices.Contains(n.taken, name) {
			name += " (" + filepath.Base(dir) + ")"
		}
		n.by[string(key)] = name
		n.taken = append(n.taken, name)
	}
	return name, nil
}
