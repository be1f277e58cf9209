// Package digest turns the rows of a sweep into the series of its figures.
//
// Reading guide. Metric (metric.go) is a column with its label; Collect (table.go) lays the rows
// out by two axes of the sweep; Means, Relative and Samples (series.go, samples.go) give what is
// drawn, each with its interval; Curves (curves.go) does so for training.
//
// What is not on an axis of the figure is a unit: a replicate, a seed, a value of another axis.
// Intervals are over units, and differences are within them: the same jobs, another policy.
package digest
