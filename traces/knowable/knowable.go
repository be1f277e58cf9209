// Package knowable measures how much of a job's run time is known when it is submitted: the share
// of the variance of log run time (natural logarithm, R2) that a linear predictor explains out of
// sample, and the spread that is left, from each thing that a scheduler could look at.
//
// A run is work over GPUs (a share as a part of one). The first 60 % of the span of submits fit the
// predictors, the last 30 % measure them, the jobs between are left out. Where a part would have
// fewer than Least jobs, the first 60 % and the last 30 % of the jobs take the place of time; jobs
// that all come at once are shuffled first, in one fixed way. R2 is 1 - sum of squared errors / sum
// of squared deviations from the mean of the measured part: 0 is what its mean explains, below 0 is
// worse than that. Spread is the standard deviation of the errors about their own mean.
//
// Categories (GPUs, user, group, virtual cluster, model) and their products go through a ridge
// regression of indicators, requests as numbers (ridge.go); history is the mean log run of jobs
// that had ended at the submit (past.go). Everything is deterministic; 120 000 jobs take about two
// seconds.
package knowable

import (
	"math"

	"tarry/sim"
)

// Report states what is known about the run times of a workload.
type Report struct {
	// Fit and Test count the jobs of the two parts.
	Fit, Test int
	// NewUsers is the share of the measured jobs whose user has none in the fitted part; 0 without
	// users.
	NewUsers float64
	// Spread is the standard deviation of log run time in the measured part.
	Spread float64
	// Sources has a line for each thing that the jobs have; empty when the parts are too small to
	// have any (Least).
	Sources []Source
}

// Source is one thing that a predictor can look at.
type Source struct {
	// Name states what it is.
	Name string
	// R2 is the share of the variance that it explains, at most 1; Spread is the standard deviation
	// of log run time that is left.
	R2, Spread float64
}

// Least is the number of jobs that each part needs.
const Least = 30

// rounding is the deviation of log run times that counts as none.
const rounding = 1e-9

// Shares of the span.
const fitShare, testShare = 0.6, 0.3

// Of measures a workload.
func Of(w *sim.Workload) Report {
	d := newData(w)
	r := Report{Fit: d.fit, Test: len(d.y) - d.test}
	if r.Fit < Least || r.Test < Least {
		return r
	}
	r.NewUsers, r.Spread = d.newUsers(), deviation(d.y[d.test:])
	if r.Spread < rounding {
		r.Spread = 0
		return r
	}
	for _, s := range d.sources() {
		p := predict(d.y, d.fit, s.columns)
		left := make([]float64, r.Test)
		sum := 0.0
		for i := range left {
			left[i] = d.y[d.test+i] - p[d.test+i]
			sum += float64(left[i] * left[i])
		}
		all := float64(r.Spread*r.Spread) * float64(r.Test)
		r.Sources = append(r.Sources, Source{s.name, 1 - sum/all, deviation(left)})
	}
	return r
}

// deviation is the standard deviation, divided by the number of values.
func deviation(x []float64) float64 {
	n := float64(len(x))
	mean, sum := 0.0, 0.0
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		sum += float64((v - mean) * (v - mean))
	}
	return math.Sqrt(sum / n)
}
