package digest

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"tarry/experiments/sweep"
	"tarry/output/results"
	"tarry/run/tune"
)

// tunings are the folders of tarry tune as cells, by the name in the column cell.
type tunings map[string]sweep.Cell

// Cell implements Cells.
func (t tunings) Cell(k results.Keys) (sweep.Cell, bool) {
	c, ok := t[k.Cell]
	return c, ok
}

// tuneFolders draws the search of runs of tune: runs that differ in the seed alone are one series.
func tuneFolders(ctx context.Context, dirs []string) ([]sweep.Figure, error) {
	cells := tunings{}
	var rows []results.Tune
	for _, dir := range dirs {
		cfg, err := tune.Recorded(dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		one, err := results.ReadDir[results.Tune](ctx, filepath.Join(dir, results.Tune{}.Table()))
		if err != nil {
			return nil, err
		}
		for i := range one {
			one[i].Cell = dir
		}
		rows = append(rows, one...)
		cells[dir] = sweep.Cell{Seed: cfg.Seed, Kind: "tune", Settings: map[string]any{"optimiser": cfg.Optimiser,
			"policy": cfg.Policy}}
	}
	if !slices.ContainsFunc(rows, func(r results.Tune) bool { return r.Stage == "search" }) {
		return nil, fmt.Errorf("%s: no point is measured", dirs[0])
	}
	b := NewBook(cells, nil)
	b.Tuning("tuning", "Best point so far, on windows of training.", PolicyAxis, rows)
	return b.Figures()
}
