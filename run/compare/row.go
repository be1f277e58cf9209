// Package compare makes the result of simulate and compare out of their trials: a row of means for
// each policy, and its paired difference from the first.
//
// Reading guide: Rows (row.go) gives the rows, WithFirst the differences; Row.Cells (cells.go)
// names every value; Table (table.go) writes the rows for people.
package compare

import (
	"fmt"
	"math"
	"strings"

	"tarry/internal/stats"
	"tarry/output/results"
	"tarry/run/config"
	"tarry/run/trial"
)

// Column is one number of the result, named as in the table trials.
type Column struct {
	// Name is the column's, Help states what it is.
	Name, Help string
	// Get reads it.
	Get func(*results.Summary) float64
}

// Columns lists the numbers in the order in which they are printed.
func Columns() []Column {
	type sum = results.Summary
	return []Column{
		{"jobs", "jobs of the workload", func(s *sum) float64 { return float64(s.Jobs) }},
		{"finished", "jobs that did all their work; means and quantiles are over them",
			func(s *sum) float64 { return float64(s.Finished) }},
		{"unfinished", "jobs still there when the run ended", func(s *sum) float64 { return float64(s.Unfinished) }},
		{"refused", "jobs that the cluster can never hold", func(s *sum) float64 { return float64(s.Refused) }},
		{"rejected", "jobs turned away by the policy's own admission",
			func(s *sum) float64 { return float64(s.Rejected) }},
		{"jct_mean_s", "completion time (end - submit) of finished jobs: mean",
			func(s *sum) float64 { return s.JCTMean }},
		{"jct_p50_s", "  median", func(s *sum) float64 { return s.JCTP50 }},
		{"jct_p95_s", "  95th percentile", func(s *sum) float64 { return s.JCTP95 }},
		{"jct_p99_s", "  99th percentile", func(s *sum) float64 { return s.JCTP99 }},
		{"queue_mean_s", "time in the system without GPUs: mean", func(s *sum) float64 { return s.QueueMean }},
		{"queue_p99_s", "  99th percentile", func(s *sum) float64 { return s.QueueP99 }},
		{"makespan_s", "last end - first submit", func(s *sum) float64 { return s.Makespan }},
		{"comm_mean_s", "exposed communication per job", func(s *sum) float64 { return s.CommMean }},
		{"comm_frac", "communication / running time, over all jobs", func(s *sum) float64 { return s.CommFrac }},
		{"gpu_util_frac", "GPU-seconds held / GPU-seconds there until the makespan",
			func(s *sum) float64 { return s.GPUUtil }},
		{"preemptions", "of all jobs together", func(s *sum) float64 { return float64(s.Preemptions) }},
	}
}

// Help explains the columns, for the help of the commands.
func Help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %-14s %s\n", "policy", "as it was given; in tables and pictures with a * if it is "+
		"clairvoyant: it knows the work that is left")
	fmt.Fprintf(&b, "  %-14s %s\n", "label", "the name for readers, of NAME:label=TEXT; in JSON and CSV, where a policy "+
		"has one")
	fmt.Fprintf(&b, "  %-14s %s\n", "knows", "what it reads of jobs, joined by +: done, estimate, work "+
		"(clairvoyant), history, speed; in JSON and CSV")
	for _, c := range Columns() {
		fmt.Fprintf(&b, "  %-14s %s\n", c.Name, c.Help)
	}
	for _, c := range Measures() {
		fmt.Fprintf(&b, "  %-14s %s\n", c.Name, c.Help)
	}
	fmt.Fprintf(&b, "  %-14s %s\n", "overload_gpus", "GPUs that jobs ask for beyond the cluster's at the last "+
		"arrivals, where the queue grows until then; 0 = it does not; in JSON and CSV")
	fmt.Fprintf(&b, "  %-14s %s\n", "gpu_util_frac_TYPE", "the same of the GPUs of one type, a share counted as a "+
		"part; one column per type where a cluster has several")
	fmt.Fprintf(&b, "  %-14s %s\n", "bsld_mean", "bounded slowdown, max(1, completion time / max(run time alone, 10 "+
		"s)): mean; with --preset rlscheduler, and in JSON and CSV of eval")
	return b.String()
}

// Row is the result of one policy: means over its replicates.
type Row struct {
	Policy string
	// Label is the name for readers that the policy was given; "" = none. Labelled states that some
	// row has one.
	Label    string
	Labelled bool
	// Knows is what the policy knows of jobs, as in the table trials.
	Knows string
	// Values are in the order of Columns.
	Values []float64
	// Types is the utilisation of the GPUs of each type, in the order of the cluster; nil where it
	// has one type.
	Types []TypeUtil
	// BSLD is the mean bounded slowdown, which is shown where Bounded notes it.
	BSLD    float64
	Bounded bool
	// Measured are the means of what the table measures states of all jobs, in the order of
	// Measures; nil where there is none.
	Measured []Cell
	// Runs are the replicates' results.
	Runs []*trial.Result
	// Diff is mean completion time minus the first policy's; Over states what its interval is over.
	Diff stats.Interval
	Over string
	// Paired are the differences of energy, where it is stated.
	Paired []Paired
	// StatedGPUs is the size of cluster that the load of generated jobs refers to, where it is not
	// the cluster's; else 0.
	StatedGPUs int
	// Common marks, by replicate, the jobs that all policies finished: comparisons are over them.
	// Same states that all policies finished the same jobs in every replicate.
	Common [][]bool
	Same   bool
}

// Rows groups the results, which are in the order of the trials, by policy.
func Rows(s *config.Setup, names []string, done []*trial.Result) []*Row {
	var out []*Row
	n := len(s.Runs)
	common, same := inCommon(done, len(names), n)
	types := typesOf(done)
	for p, name := range names {
		m := &Row{Policy: name, Label: s.Labels[name], Labelled: len(s.Labels) > 0,
			Knows: done[p*n].Row.Knows, Runs: done[p*n : (p+1)*n], StatedGPUs: s.StatedGPUs,
			Common: common, Same: same}
		for _, c := range Columns() {
			x := make([]float64, n)
			for r, run := range m.Runs {
				x[r] = c.Get(&run.Row.Summary)
			}
			m.Values = append(m.Values, stats.Mean(x))
		}
		x := make([]float64, n)
		for r, run := range m.Runs {
			x[r] = run.Row.BSLDMean
		}
		m.Types = byType(m.Runs, types)
		m.Measured = MeasuresOf(m.Runs, done)
		m.BSLD, m.Bounded = stats.Mean(x), s.Config.Preset == "rlscheduler"
		out = append(out, m)
	}
	return out
}

// inCommon marks the jobs of each replicate that all policies finished, and reports whether no
// policy finished others.
func inCommon(done []*trial.Result, policies, replicates int) (common [][]bool, same bool) {
	same = true
	for r := range replicates {
		var runs []*trial.Result
		for p := range policies {
			runs = append(runs, done[p*replicates+r])
		}
		jobs := trial.Common(runs)
		n := int64(trial.Count(jobs))
		for _, run := range runs {
			same = same && run.Row.Finished == n
		}
		common = append(common, jobs)
	}
	return common, same
}

// compared is the mean over replicates of the number of jobs that all policies finished, and of the
// mean completion time of these jobs.
func (m *Row) compared() (jobs, jct float64) {
	n := make([]float64, len(m.Common))
	for r := range m.Common {
		n[r] = float64(trial.Count(m.Common[r]))
	}
	return stats.Mean(n), stats.Mean(m.means())
}

// WithFirst sets the paired difference of every policy but the first.
func WithFirst(s *config.Setup, sums []*Row) error {
	nan := math.NaN()
	for i, m := range sums {
		var err error
		if m.Paired, err = PairedOf(m.Runs, sums[0].Runs, len(m.Runs)); err != nil {
			return err
		}
		m.Diff = stats.Interval{Point: nan, Lo: nan, Hi: nan}
		if i == 0 {
			continue
		}
		a, b := m.Runs[0].Over(m.Common[0]), sums[0].Runs[0].Over(m.Common[0])
		m.Over = "jobs"
		if len(m.Runs) > 1 {
			m.Over = "replicates"
			a, b = m.means(), sums[0].means()
		}
		c, err := stats.Paired(a, b)
		if err != nil {
			return err
		}
		m.Diff = c.Diff
	}
	return nil
}

// means gives for each replicate the mean completion time of the jobs that all policies finished;
// NaN where there is none.
func (m *Row) means() []float64 {
	x := make([]float64, len(m.Runs))
	for r, run := range m.Runs {
		x[r] = run.MeanOver(m.Common[r])
	}
	return x
}
