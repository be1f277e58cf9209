package digest

import (
	"context"
	"math"

	"tarry/internal/figure"
	"tarry/internal/results"
	"tarry/internal/sweep"
)

// Samples pools a value of the jobs over all units, one sample per value of an axis ("policy" is the column where
// no axis has that name). keep chooses cells; nil = all. It reads the table jobs in bounded pieces, but holds the values.
func Samples(ctx context.Context, d *sweep.Data, series string, keep func(c *sweep.Cell) bool, value func(j *results.Job) float64) ([]figure.Sample, error) {
	var names []string
	var out []figure.Sample
	err := sweep.Scan(ctx, d, func(rows []results.Job) error {
		for i := range rows {
			c, ok := d.Cell(rows[i].Keys)
			if !ok || keep != nil && !keep(&c) {
				continue
			}
			v := value(&rows[i])
			if math.IsNaN(v) {
				continue
			}
			s := index(&names, axis(&c, rows[i].Keys, series))
			if s == len(out) {
				out = append(out, figure.Sample{Name: names[s]})
			}
			out[s].Values = append(out[s].Values, v)
		}
		return nil
	})
	return out, err
}

// Curves gives learning curves: per value of an axis the mean over seeds of value at each number of environment steps,
// with its 95 % interval (Student's). Steps at which a seed has no number (NaN) are left out for it.
func Curves(d *sweep.Data, rows []results.Curve, series string, keep func(c *sweep.Cell) bool, value func(r *results.Curve) float64) []figure.Series {
	var names []string
	var points []curve
	for i := range rows {
		c, ok := d.Cell(rows[i].Keys)
		v := value(&rows[i])
		if !ok || keep != nil && !keep(&c) || math.IsNaN(v) {
			continue
		}
		s := index(&names, axis(&c, rows[i].Keys, series))
		if s == len(points) {
			points = append(points, curve{})
		}
		points[s].add(float64(rows[i].EnvSteps), v)
	}
	out := make([]figure.Series, len(points))
	for s := range points {
		out[s] = points[s].series(names[s])
	}
	return out
}
