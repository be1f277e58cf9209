package trial

import (
	"math"

	"tarry/internal/stats"
)

// Common marks, by JobID, the jobs that finished in all of the results. They are of the same
// workload; no result gives nil.
func Common(of []*Result) []bool {
	if len(of) == 0 {
		return nil
	}
	all := make([]bool, len(of[0].JCT))
	for id := range all {
		all[id] = true
		for _, r := range of {
			all[id] = all[id] && !math.IsNaN(r.JCT[id])
		}
	}
	return all
}

// Over gives the completion times of the marked jobs, NaN for the others. With the marks of Common
// it is what results of several policies can be compared by: the means of their rows are each over
// the jobs that finished there.
func (r *Result) Over(jobs []bool) []float64 {
	out := make([]float64, len(r.JCT))
	for id, v := range r.JCT {
		if out[id] = v; !jobs[id] {
			out[id] = math.NaN()
		}
	}
	return out
}

// MeanOver is the mean completion time of the marked jobs in seconds; NaN when none is marked or
// one of them did not finish.
func (r *Result) MeanOver(jobs []bool) float64 {
	var x []float64
	for id, v := range r.JCT {
		if jobs[id] {
			x = append(x, v)
		}
	}
	return stats.Mean(x)
}

// Count is the number of marked jobs.
func Count(jobs []bool) int {
	n := 0
	for _, yes := range jobs {
		if yes {
			n++
		}
	}
	return n
}
