package digest

import (
	"context"
	"math"
	"strings"

	"tarry/experiments/sweep"
	"tarry/output/results"
)

// Measured is a part of the book that knows what the table measures says of all jobs, each measure by its name: satisfied_frac, tardiness_mean_s,
// ftf_max and the others of docs/deadlines.md, and those of policies. Seconds are shown in hours. A sweep without the table adds none.
func (b *Book) Measured(ctx context.Context, d *sweep.Data) (*Book, error) {
	values, units := map[string]map[results.Keys]float64{}, map[string]string{}
	var names []string
	err := sweep.Scan(ctx, d, func(rows []results.Measure) error {
		for i := range rows {
			m := &rows[i]
			if m.Of != "" {
				continue
			}
			if values[m.Name] == nil {
				values[m.Name], units[m.Name] = map[results.Keys]float64{}, m.Unit
				names = append(names, m.Name)
			}
			values[m.Name][m.Keys] = m.Value
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		of, scale := values[name], 1.0
		if units[name] == "s" {
			scale = hour
		}
		b = b.Adding(name, measureLabel(name, units[name]), func(k results.Keys) float64 {
			if v, ok := of[k]; ok {
				return v / scale
			}
			return math.NaN()
		})
	}
	return b, nil
}

// measures draws those of deadlines and tenants where a sweep has them.
func (b *Book) measures(ctx context.Context, d *sweep.Data, x, series string) error {
	with, err := b.Measured(ctx, d)
	if err != nil {
		return err
	}
	for _, name := range []string{"satisfied_frac", "tardiness_mean_s", "ftf_max", "anomaly_frac", "excess_queue_mean_s"} {
		if m, err := with.find(name); err == nil {
			with.Means(name, m.Label, x, series, name, x)
		}
	}
	return nil
}

// measureLabel names a measure with its unit for an axis.
func measureLabel(name, unit string) string {
	switch name {
	case "satisfied_frac":
		return "deadlines met / jobs with a deadline"
	case "satisfied_admitted_frac":
		return "deadlines met / jobs admitted with one"
	case "anomaly_frac":
		return "jobs later than in a private cluster / jobs"
	case "excess_queue_mean_s":
		return "wait beyond that in a private cluster, mean (h)"
	case "ftf_max":
		return "worst finish-time fairness"
	case "ftf_mean":
		return "mean finish-time fairness"
	case "sharing_incentive_frac":
		return "jobs with finish-time fairness at most 1"
	}
	label := strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(name, "_s"), "_frac"), "_", " ")
	switch unit {
	case "0..1", "ratio":
		return label
	case "s":
		unit = "h"
	}
	return label + " (" + unit + ")"
}

// has reports whether the book knows a metric.
func (b *Book) has(name string) bool {
	_, err := b.find(name)
	return err == nil
}
