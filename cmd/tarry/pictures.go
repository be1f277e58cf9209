package main

import (
	"path/filepath"
	"strings"

	"tarry/internal/figure"
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
	bars, err := meansBars(sums)
	if err != nil {
		return "", err
	}
	if err := bars.Save(dir, "means"); err != nil {
		return "", err
	}
	return filepath.Join(dir, "jct_cdf") + ", " + filepath.Join(dir, "means") + " (.png, .svg, .pdf, .csv)", nil
}

// meansBars draws mean completion time, queueing, makespan and communication of every policy,
// relative to the first, so that they share one axis.
func meansBars(sums []*summary) (*figure.Figure, error) {
	groups := []struct{ column, label string }{{"jct_mean_s", "mean JCT"}, {"jct_p99_s", "p99 JCT"}, {"queue_mean_s", "queueing"}, {"makespan_s", "makespan"}, {"comm_mean_s", "comm."}}
	at := map[string]int{}
	for i, c := range columns() {
		at[c.name] = i
	}
	var labels []string
	var series []figure.Series
	for _, g := range groups {
		labels = append(labels, g.label)
	}
	for _, m := range sums {
		s := figure.Series{Name: m.policy}
		for _, g := range groups {
			base := sums[0].values[at[g.column]]
			s.Y = append(s.Y, m.values[at[g.column]]/base)
		}
		series = append(series, s)
	}
	first, _, _ := strings.Cut(sums[0].policy, ":")
	return figure.Bars("", figure.Axis{Label: "relative to " + first}, labels, series)
}
