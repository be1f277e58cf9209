package digest

import (
	"fmt"
	"slices"

	"tarry/output/results"
	"tarry/sim/param"
)

// Metric is a column of the table trials as figures show it.
type Metric struct {
	// Name is the column; Label names it with its unit for an axis.
	Name, Label string
	// Of reads it; the unit is Label's, which may be another one than the column's.
	Of func(s *results.Summary) float64
}

const hour = 3600

// Metrics lists what figures may show. Smaller is better but for gpu_util_frac and fairness.
func Metrics() []Metric {
	return []Metric{
		{"jct_mean_s", "mean completion time (h)", func(s *results.Summary) float64 { return s.JCTMean / hour }},
		{"jct_p50_s", "median completion time (h)", func(s *results.Summary) float64 { return s.JCTP50 / hour }},
		{"jct_p95_s", "p95 of completion time (h)", func(s *results.Summary) float64 { return s.JCTP95 / hour }},
		{"jct_p99_s", "p99 of completion time (h)", func(s *results.Summary) float64 { return s.JCTP99 / hour }},
		{"queue_mean_s", "mean queueing delay (h)", func(s *results.Summary) float64 { return s.QueueMean / hour }},
		{"queue_p95_s", "p95 of queueing delay (h)", func(s *results.Summary) float64 { return s.QueueP95 / hour }},
		{"queue_p99_s", "p99 of queueing delay (h)", func(s *results.Summary) float64 { return s.QueueP99 / hour }},
		{"slowdown_mean", "mean slowdown", func(s *results.Summary) float64 { return s.SlowdownMean }},
		{"bsld_mean", "mean bounded slowdown", func(s *results.Summary) float64 { return s.BSLDMean }},
		{"makespan_s", "makespan (h)", func(s *results.Summary) float64 { return s.Makespan / hour }},
		{"comm_mean_s", "communication per job (h)", func(s *results.Summary) float64 { return s.CommMean / hour }},
		{"comm_frac", "share of communication", func(s *results.Summary) float64 { return s.CommFrac }},
		{"gpu_util_frac", "GPU utilisation", func(s *results.Summary) float64 { return s.GPUUtil }},
		{"preemptions", "preemptions per job", func(s *results.Summary) float64 {
			return float64(s.Preemptions) /
				float64(max(1, s.Jobs))
		}},
		{"fairness", "Jain's fairness over slowdowns", func(s *results.Summary) float64 { return s.Fairness }},
	}
}

// Find gives a metric by its column.
func Find(name string) (Metric, error) {
	all := Metrics()
	if i := slices.IndexFunc(all, func(m Metric) bool { return m.Name == name }); i >= 0 {
		return all[i], nil
	}
	names := make([]string, len(all))
	for i, m := range all {
		names[i] = m.Name
	}
	return Metric{}, fmt.Errorf("no metric is called %q%s", name, param.Hint(name, names))
}
