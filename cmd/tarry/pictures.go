package main

import (
	"path/filepath"
	"strings"

	"tarry/internal/figure"
	"tarry/internal/stats"
)

// drawComparison draws the distribution of completion times (replicates pooled) and the
// policies' means, and names the files.
func drawComparison(dir string, sums []*summary) (string, error) {
	var samples []figure.Sample
	for _, m := range sums {
		s := figure.Sample{Name: m.policy}
		for _, r := range m.runs {
			s.Values = append(s.Values, r.JCT...)
		}
		samples = append(samples, s)
	}
	cdf, err := figure.CDF("", figure.Axis{Label: "job completion time (s)", Log: true}, samples)
	if err != nil {
		return "", err
	}
	if err := cdf.Save(dir, "jct_cdf"); err != nil {
		return "", err
	}
	names := []string{filepath.Join(dir, "jct_cdf")}
	for _, b := range [...]struct {
		name string
		draw func([]*summary) (*figure.Figure, error)
	}{{"means", meansBars}, {"relative", relativeBars}} {
		f, err := b.draw(sums)
		if err != nil {
			return "", err
		}
		if err := f.Save(dir, b.name); err != nil {
			return "", err
		}
		names = append(names, filepath.Join(dir, b.name))
	}
	return strings.Join(names, ", ") + " (.png, .svg, .pdf, .csv, .parquet)", nil
}

// group is one group of bars: a column and what stands below it.
type group struct{ column, label string }

// meansBars draws where the time of the mean job goes, in seconds: the mean over the
// replicates, with Student's 95 % interval when there are several.
func meansBars(sums []*summary) (*figure.Figure, error) {
	groups := []group{{"jct_mean_s", "completion"}, {"queue_mean_s", "queueing"}, {"comm_mean_s", "communication"}}
	return bars("mean per job (s)", groups, sums, func(m *summary, column string) []float64 { return m.column(column) })
}

// relativeBars draws completion times and makespan relative to the first policy on the same
// jobs, replicate by replicate.
func relativeBars(sums []*summary) (*figure.Figure, error) {
	groups := []group{{"jct_mean_s", "mean JCT"}, {"jct_p50_s", "median JCT"}, {"jct_p99_s", "p99 JCT"}, {"makespan_s", "makespan"}}
	first, _, _ := strings.Cut(sums[0].policy, ":")
	return bars("relative to "+first, groups, sums, func(m *summary, column string) []float64 {
		x, base := m.column(column), sums[0].column(column)
		for r := range x {
			x[r] /= base[r]
		}
		return x
	})
}

func bars(axis string, groups []group, sums []*summary, values func(*summary, string) []float64) (*figure.Figure, error) {
	var labels []string
	for _, g := range groups {
		labels = append(labels, g.label)
	}
	var series []figure.Series
	for _, m := range sums {
		s := figure.Series{Name: m.policy}
		for _, g := range groups {
			i := stats.TInterval(values(m, g.column), 0.95)
			s.Y, s.Lo, s.Hi = append(s.Y, i.Point), append(s.Lo, i.Lo), append(s.Hi, i.Hi)
		}
		series = append(series, s)
	}
	return figure.Bars("", figure.Axis{Label: axis}, labels, series)
}

// column gives a number of every replicate.
func (m *summary) column(name string) []float64 {
	var x []float64
	for _, c := range columns() {
		for r := range m.runs {
			if c.name == name {
				x = append(x, c.get(&m.runs[r].Row.Summary))
			}
		}
	}
	return x
}
