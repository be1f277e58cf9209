package digest

import (
	"math"

	"tarry/output/figure"
)

// HeatAbove draws by how much the mean of each point is above the least of all, in per cent;
// colours end at top, so that maps of different ranges can be compared and noise does not fill the
// scale.
func (t *Table) HeatAbove(title, xLabel, yLabel string, top float64) (*figure.Figure, error) {
	_, of := t.Least()
	least := math.Inf(1)
	for _, v := range of {
		if !math.IsNaN(v) {
			least = min(least, v)
		}
	}
	values := make([][]float64, len(t.Series))
	for i, s := range t.Means() {
		for _, v := range s.Y {
			values[i] = append(values[i], math.Round(1000*(v/least-1))/10)
		}
	}
	return figure.Heat(title, figure.Axis{Label: xLabel}, figure.Axis{Label: yLabel},
		figure.Axis{Label: "above the least (%)", Max: top}, t.X, t.Series, values)
}

// Least gives, for each x, the series with the least mean and that mean; "" and NaN where there is
// none.
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
