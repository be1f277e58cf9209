package heterogeneity

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"tarry/experiments/sweep"
	"tarry/output/figure"
	"tarry/output/results"
)

// usage is GPU-time by model and type, of the cells of one scheduler at one load.
type usage struct {
	cells  int
	models map[string][]float64 // by model: GPU-seconds on each of types()
}

// readUsage counts the table intervals of the cells that keep chooses.
func readUsage(ctx context.Context, d *sweep.Data, keep func(c *sweep.Cell) bool) (*usage, error) {
	u := &usage{models: map[string][]float64{}}
	for _, folder := range d.Folders {
		for i := range folder.Len() {
			c, err := folder.Cell(i)
			if err != nil {
				return nil, err
			}
			if !d.Kept(&c) || !keep(&c) || folder.Status(i).State != sweep.Done {
				continue
			}
			if err := u.add(ctx, folder.CellDir(i)); err != nil {
				return nil, err
			}
			u.cells++
		}
	}
	return u, nil
}

// add counts a cell, whose trial is one.
func (u *usage) add(ctx context.Context, dir string) error {
	models := map[string]string{}
	err := results.ScanDir(ctx, filepath.Join(dir, results.Job{}.Table()), func(rows []results.Job) error {
		for i := range rows {
			models[rows[i].ID] = rows[i].Model
		}
		return nil
	})
	if err != nil {
		return err
	}
	return results.ScanDir(ctx, filepath.Join(dir, results.Interval{}.Table()), func(rows []results.Interval) error {
		for i := range rows {
			r := &rows[i]
			k := slices.Index(types(), r.GPUType)
			if k < 0 { // GPUs of several types
				continue
			}
			of := u.models[models[r.Job]]
			if of == nil {
				of = make([]float64, len(types()))
				u.models[models[r.Job]] = of
			}
			of[k] += (r.End - r.Start) * float64(r.GPUs)
		}
		return nil
	})
}

// heat draws the shares of each model's GPU-time, in per cent; the model with the shortest
// iterations is at the bottom.
func (u *usage) heat() (*figure.Figure, error) {
	var rows []string
	var values [][]float64
	for _, m := range modelNames() {
		of, sum := u.models[m], 0.0
		for _, v := range of {
			sum += v
		}
		if sum == 0 {
			continue
		}
		line := make([]float64, len(of))
		for k, v := range of {
			line[k] = math.Round(100 * v / sum)
		}
		rows, values = append(rows, m), append(values, line)
	}
	return figure.Heat("", figure.Axis{Label: "type"}, figure.Axis{Label: "model"},
		figure.Axis{Label: "share of the model's GPU-time (%)", Max: 100}, types(), rows, values)
}

// drawUsage draws, of the schedulers with and without the speeds, where each
// model runs in the middle of the loads.
func drawUsage(ctx context.Context, d *sweep.Data, loads []string) ([]sweep.Figure, error) {
	var out []sweep.Figure
	for _, who := range pairs()[:2] {
		u, err := readUsage(ctx, d, func(c *sweep.Cell) bool {
			return c.Axes["demand"] == "multiple" && c.Axes["load"] == loads[len(loads)/2] && c.Axes["scheduler"] == who
		})
		if err != nil {
			return nil, err
		}
		if len(u.models) == 0 { // tables of earlier versions name no type
			continue
		}
		f, err := u.heat()
		if err != nil {
			return nil, err
		}
		f.Note = fmt.Sprintf("Of all GPU-time of %d runs, no interval.", u.cells)
		out = append(out, sweep.Figure{Name: "usage_" + who, Caption: "Where models run under " + who + ". " + f.Note,
			Figure: f})
	}
	return out, nil
}
