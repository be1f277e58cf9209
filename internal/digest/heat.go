package digest

import (
	"math"

	"tarry/internal/figure"
)

// Heat draws the mean of each point as a coloured cell: the layout's X along x, its Series along y.
func (t *Table) Heat(title, xLabel, yLabel string) (*figure.Figure, error) {
	values := make([][]float64, len(t.Series))
	for i, s := range t.Means() {
		values[i] = s.Y
	}
	return figure.Heat(title, figure.Axis{Label: xLabel}, figure.Axis{Label: yLabel}, figure.Axis{Label: t.layout.Metric.Label}, t.X, t.Series, values)
}

// Least gives, for each x, the series with the least mean and that mean; "" and NaN where there is none.
func (t *Table) Least() (names []string, values []float64) {
	names, values = make([]string, len(t.X)), make([]float64, len(t.X))
	for i := range t.X {
		values[i] = math.NaN()
	}
	for _, s := range t.Means() {
		for i, v := range s.Y {
			if !math.IsNaN(v) && !(v >= values[i]) {
				names[i], values[i] = s.Name, v
			}
		}
	}
	return names, values
}
