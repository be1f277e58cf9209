package digest

import (
	"context"
	"math"
	"strings"

	"tarry/experiments/sweep"
	"tarry/output/results"
)

// Measured is a part of the book that has what the table measures states of all jobs, each
// measure by its name: satisfied_frac, tardiness_mean_s, ftf_max and the others of
// docs/reference/measures.md, and measures of policies. Seconds are shown in hours, waits for boots
// in seconds. A sweep without the table adds none.
func (b *Book) Measured(ctx context.Context, d *sweep.Data) (*Book, error) {
	all := newGathered()
	err := sweep.Scan(ctx, d, func(rows []results.Measure) error {
		for i := range rows {
			if m := &rows[i]; m.Of == "" {
				all.put(m, m.Keys)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all.adding(b), nil
}

// gathered are measures by name and keys, with their units, in the order in which names come.
type gathered struct {
	names  []string
	values map[string]map[results.Keys]float64
	units  map[string]string
}

func newGathered() *gathered {
	return &gathered{values: map[string]map[results.Keys]float64{}, units: map[string]string{}}
}

// put keeps a measure under keys.
func (g *gathered) put(m *results.Measure, at results.Keys) {
	if g.values[m.Name] == nil {
		g.values[m.Name], g.units[m.Name] = map[results.Keys]float64{}, m.Unit
		g.names = append(g.names, m.Name)
	}
	g.values[m.Name][at] = m.Value
}

// inSeconds reports whether a measure is too short for hours.
func inSeconds(name string) bool { return name == "boot_wait_mean_s" }

// adding is the book with each measure as a metric, seconds in hours.
func (g *gathered) adding(b *Book) *Book {
	for _, name := range g.names {
		of, scale := g.values[name], 1.0
		if g.units[name] == "s" && !inSeconds(name) {
			scale = hour
		}
		b = b.Adding(name, measureLabel(name, g.units[name]), func(k results.Keys) float64 {
			if v, ok := of[k]; ok {
				return v / scale
			}
			return math.NaN()
		})
	}
	return b
}

// measures draws the measures of deadlines and tenants where a sweep has them.
func (b *Book) measures(ctx context.Context, d *sweep.Data, x, series string) error {
	with, err := b.Measured(ctx, d)
	if err != nil {
		return err
	}
	for _, name := range []string{"satisfied_frac", "tardiness_mean_s", "ftf_max", "anomaly_frac",
		"excess_queue_mean_s"} {
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
	case "ces_nodes_used_of_awake_frac":
		return "use of machines that are on"
	case "boot_wait_mean_s":
		return "mean wait for boots (s)"
	case "energy_kwh":
		return "energy (kWh)"
	case "energy_cost":
		return "cost of energy"
	case "energy_delay_kwh_s":
		return "energy x mean completion time (kWh s)"
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
