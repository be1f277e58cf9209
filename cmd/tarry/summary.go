package main

import (
	"fmt"
	"math"
	"strings"

	"tarry/internal/config"
	"tarry/internal/results"
	"tarry/internal/rng"
	"tarry/internal/stats"
	"tarry/internal/trial"
)

// column is one number of the result, named as in the table trials.
type column struct {
	name, help string
	get        func(*results.Summary) float64
}

// columns lists the numbers in the order in which they are printed.
func columns() []column {
	type sum = results.Summary
	return []column{
		{"jobs", "jobs of the workload", func(s *sum) float64 { return float64(s.Jobs) }},
		{"jct_mean_s", "completion time (end - submit) of finished jobs: mean", func(s *sum) float64 { return s.JCTMean }},
		{"jct_p50_s", "  median", func(s *sum) float64 { return s.JCTP50 }},
		{"jct_p95_s", "  95th percentile", func(s *sum) float64 { return s.JCTP95 }},
		{"jct_p99_s", "  99th percentile", func(s *sum) float64 { return s.JCTP99 }},
		{"queue_mean_s", "time in the system without GPUs: mean", func(s *sum) float64 { return s.QueueMean }},
		{"queue_p99_s", "  99th percentile", func(s *sum) float64 { return s.QueueP99 }},
		{"makespan_s", "last end - first submit", func(s *sum) float64 { return s.Makespan }},
		{"comm_mean_s", "exposed communication per job", func(s *sum) float64 { return s.CommMean }},
		{"comm_frac", "communication / running time, over all jobs", func(s *sum) float64 { return s.CommFrac }},
		{"gpu_util_frac", "GPU-seconds held / GPU-seconds there until the makespan", func(s *sum) float64 { return s.GPUUtil }},
		{"preemptions", "of all jobs together", func(s *sum) float64 { return float64(s.Preemptions) }},
	}
}

// columnHelp explains the columns, for the help of the commands.
func columnHelp() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %-14s %s\n", "policy", "as it was given")
	for _, c := range columns() {
		fmt.Fprintf(&b, "  %-14s %s\n", c.name, c.help)
	}
	return b.String()
}

// summary is the result of one policy: means over its replicates.
type summary struct {
	policy string
	// values are in the order of columns.
	values []float64
	// runs are the replicates' results.
	runs []*trial.Result
	// diff is mean completion time minus the first policy's; over says what its interval is over.
	diff stats.Interval
	over string
}

// summarise groups the results, which are in the order of the trials, by policy.
func summarise(s *config.Setup, done []*trial.Result) []*summary {
	var out []*summary
	n := len(s.Runs)
	for p, name := range s.Config.Policies {
		m := &summary{policy: name, runs: done[p*n : (p+1)*n]}
		for _, c := range columns() {
			x := make([]float64, n)
			for r, run := range m.runs {
				x[r] = c.get(&run.Row.Summary)
			}
			m.values = append(m.values, stats.Mean(x))
		}
		out = append(out, m)
	}
	return out
}

// compareWithFirst sets the paired difference of every policy but the first.
func compareWithFirst(s *config.Setup, sums []*summary) error {
	nan := math.NaN()
	for i, m := range sums {
		m.diff = stats.Interval{Point: nan, Lo: nan, Hi: nan}
		if i == 0 {
			continue
		}
		a, b, opt := m.runs[0].JCT, sums[0].runs[0].JCT, stats.Options{Reps: 2000}
		m.over = "jobs"
		if len(m.runs) > 1 {
			m.over, opt.Method = "replicates", stats.StudentT
			a, b = means(m.runs), means(sums[0].runs)
		}
		dice := rng.Source{Seed: s.Config.Seed, Experiment: "compare", Cell: m.policy}.Stream("bootstrap")
		c, err := stats.Paired(dice, a, b, opt)
		if err != nil {
			return err
		}
		m.diff = c.Diff
	}
	return nil
}

// means gives the mean completion time of each replicate.
func means(runs []*trial.Result) []float64 {
	x := make([]float64, len(runs))
	for r, run := range runs {
		x[r] = run.Row.JCTMean
	}
	return x
}
