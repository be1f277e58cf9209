package digest

import (
	"errors"
	"strings"

	"tarry/experiments/sweep"
	"tarry/output/results"
)

// sameOf names what all series of a point are compared on: the same jobs at the same values of the
// axes. "" when the row does not state its jobs.
func sameOf(c *sweep.Cell, row *results.Trial, l *Layout) string {
	if row.WorkloadSHA256 == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString(axis(c, row.Keys, l.X) + "\x00" + row.WorkloadSHA256)
	for part := range strings.SplitSeq(c.ID, "/") {
		if key, _, _ := strings.Cut(part, "="); key != l.X && key != l.Series && key != "seed" {
			b.WriteString("\x00" + part)
		}
	}
	return b.String()
}

// ErrUneven states that means have nothing in common to be compared on: jobs were turned away,
// refused, or did not end.
var ErrUneven = errors.New("the series finished different jobs")

// ofAllJobs reports whether a metric is of all jobs, finished or not. So are shares and counts of
// deadlines: a job that was turned away counts.
func ofAllJobs(metric string) bool {
	switch metric {
	case "gpu_util_frac", "preemptions", "satisfied_frac", "satisfied_admitted_frac":
		return true
	}
	return strings.HasPrefix(metric, "deadline_")
}

// unevenOf finds the workloads of which not all series finished the same jobs: means over other
// jobs cannot be compared.
func unevenOf(d Cells, rows []results.Trial, l *Layout) map[string]bool {
	out := map[string]bool{}
	if ofAllJobs(l.Metric.Name) {
		return out
	}
	first := map[string]*results.Summary{}
	for i := range rows {
		c, ok := d.Cell(rows[i].Keys)
		if !ok {
			continue
		}
		key := sameOf(&c, &rows[i], l)
		if key == "" {
			continue
		}
		have := first[key]
		if have == nil {
			first[key] = &rows[i].Summary
		} else if !have.SameJobs(&rows[i].Summary) {
			out[key] = true
		}
	}
	return out
}
