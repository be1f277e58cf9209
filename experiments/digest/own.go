package digest

import (
	"slices"

	"tarry/output/results"
)

// ownMetric is a metric that is no column of the rows.
type ownMetric struct {
	Metric
	of func(k results.Keys) float64
}

// Adding is a part of the book that has one more metric, whose numbers are no column: of returns
// the number of the row with these keys, such as one that was counted in another table; NaN = none.
func (b *Book) Adding(name, label string, of func(k results.Keys) float64) *Book {
	part := *b
	part.own = append(slices.Clip(part.own), ownMetric{Metric{Name: name, Label: label}, of})
	return &part
}

// find is Find with the book's own metrics.
func (b *Book) find(name string) (Metric, error) {
	if i := slices.IndexFunc(b.own, func(m ownMetric) bool { return m.Name == name }); i >= 0 {
		return b.own[i].Metric, nil
	}
	return Find(name)
}

// valueOf gives the numbers of a metric of the book's own; nil = it is a column.
func (b *Book) valueOf(name string) func(k results.Keys) float64 {
	if i := slices.IndexFunc(b.own, func(m ownMetric) bool { return m.Name == name }); i >= 0 {
		return b.own[i].of
	}
	return nil
}
