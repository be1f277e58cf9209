package digest

import (
	"context"
	"testing"

	"tarry/experiments/sweep"
	"tarry/output/results"
)

// jobbed has a job for each row.
type jobbed struct {
	*sweep.Data
	rows []results.Trial
}

func (j jobbed) Jobs(_ context.Context, each func(rows []results.Job) error) error {
	var jobs []results.Job
	for _, r := range j.rows {
		jobs = append(jobs, results.Job{Keys: r.Keys, JCT: r.JCTMean})
	}
	return each(jobs)
}

// A part of a book has the jobs of its own cells alone.
func TestJobsOfAPart(t *testing.T) {
	d := data(t, "simulate")
	all := rows(d, func(c *sweep.Cell) float64 { return float64(c.Seed) })
	book := NewBook(jobbed{d, all}, all).Where(func(c *sweep.Cell) bool { return c.Seed < 3 })
	heaps, units, _, err := book.heaps(t.Context(), "policy", nil, func(j *results.Job) float64 { return j.JCT / 3600 })
	if err != nil || units != 2 || len(heaps) != 4 {
		t.Fatalf("%d heaps of %d units, expected four of two: %v", len(heaps), units, err)
	}
	for _, h := range heaps {
		if len(h.values) != 2 || h.values[0] != 1 || h.values[1] != 2 {
			t.Errorf("%s has the jobs %v, expected those of seeds 1 and 2", h.series, h.values)
		}
	}
}
