package main

import (
	"math"
	"path/filepath"
	"strings"

	"tarry/internal/evaluate"
	"tarry/internal/figure"
	"tarry/internal/stats"
)

// drawEvaluation draws what an evaluation found, from its rows alone, and names the files: the
// distribution of completion times, the means, the differences from the first agent and the
// performance profile. Single seeds of an agent that is drawn as one are left out.
func drawEvaluation(dir string, rows []evaluate.Row) (string, error) {
	var shown []evaluate.Row
	for _, r := range rows {
		if !r.Member {
			shown = append(shown, r)
		}
	}
	var names []string
	for _, p := range [...]struct {
		name string
		draw func([]evaluate.Row) (*figure.Figure, error)
	}{{"jct_cdf", evalCDF}, {"means", evalBars}, {"difference", evalDifference}, {"profile", evalProfile}} {
		if p.name == "difference" && len(shown) == 1 {
			continue // nobody to compare with
		}
		f, err := p.draw(shown)
		if err != nil {
			return "", err
		}
		if err := f.Save(dir, p.name); err != nil {
			return "", err
		}
		names = append(names, filepath.Join(dir, p.name))
	}
	return strings.Join(names, ", ") + " (.png, .svg, .pdf, .csv, .parquet)", nil
}

// evalCDF pools the jobs of all windows.
func evalCDF(rows []evaluate.Row) (*figure.Figure, error) {
	var samples []figure.Sample
	for _, r := range rows {
		s := figure.Sample{Name: r.Policy}
		for _, run := range r.Runs {
			s.Values = append(s.Values, run.JCT...)
		}
		samples = append(samples, s)
	}
	return figure.CDF("", figure.Axis{Label: "job completion time (s)", Log: true}, samples)
}

// evalBars draws where the time of the mean job goes; Student's interval over the windows, of which an
// agent of several seeds has its seeds' means.
func evalBars(rows []evaluate.Row) (*figure.Figure, error) {
	groups := []group{{"jct_mean_s", "completion"}, {"queue_mean_s", "queueing"}, {"comm_mean_s", "communication"}}
	var labels []string
	for _, g := range groups {
		labels = append(labels, g.label)
	}
	var series []figure.Series
	for _, r := range rows {
		s := figure.Series{Name: r.Policy}
		for _, g := range groups {
			i := stats.TInterval(windowMeans(&r, g.column), 0.95)
			s.Y, s.Lo, s.Hi = append(s.Y, i.Point), append(s.Lo, i.Lo), append(s.Hi, i.Hi)
		}
		series = append(series, s)
	}
	return figure.Bars("", figure.Axis{Label: "mean per job (s)"}, labels, series)
}

// windowMeans gives a number of every window, the mean over seeds.
func windowMeans(r *evaluate.Row, column string) []float64 {
	out := make([]float64, r.Windows())
	for _, col := range columns() {
		for i, run := range r.Runs {
			if col.name == column {
				out[i%len(out)] += col.get(&run.Row.Summary) / float64(r.Seeds)
			}
		}
	}
	return out
}

// evalDifference draws how much longer jobs take than with the first agent, in pairs, with the interval
// of the table.
func evalDifference(rows []evaluate.Row) (*figure.Figure, error) {
	s := figure.Series{Name: rows[0].Policy}
	var names []string
	for _, r := range rows[1:] {
		names = append(names, r.Policy)
		s.Y, s.Lo, s.Hi = append(s.Y, r.Diff.Point), append(s.Lo, r.Diff.Lo), append(s.Hi, r.Diff.Hi)
	}
	first := rows[0].Policy
	if len(first) > 20 { // there is no more room
		first = "first"
	}
	return figure.Bars("", figure.Axis{Label: "mean JCT minus " + first + " (s)"}, names, []figure.Series{s})
}

// profileEnd is where the performance profile's axis ends at most, profileSteps its resolution.
const (
	profileEnd   = 2
	profileSteps = 200
)

// evalProfile draws the performance profile: the share of windows on which a policy's mean completion
// time is within a factor of the least of all. The axis ends where all have arrived.
func evalProfile(rows []evaluate.Row) (*figure.Figure, error) {
	least := make([]float64, rows[0].Windows())
	for i := range least {
		least[i] = math.Inf(1)
	}
	for _, r := range rows {
		for i, run := range r.Runs {
			least[i%len(least)] = min(least[i%len(least)], run.Row.JCTMean)
		}
	}
	end := 1.01
	for _, r := range rows {
		for i, run := range r.Runs {
			end = min(profileEnd, max(end, run.Row.JCTMean/least[i%len(least)]))
		}
	}
	var series []figure.Series
	for _, r := range rows {
		s := figure.Series{Name: r.Policy}
		for k := range profileSteps + 1 {
			tau, within := 1+float64((end-1)*float64(k)/profileSteps), 0.0
			for i, run := range r.Runs {
				if run.Row.JCTMean <= tau*least[i%len(least)] {
					within++
				}
			}
			s.X, s.Y = append(s.X, tau), append(s.Y, within/float64(len(r.Runs)))
		}
		series = append(series, s)
	}
	return figure.Lines("", figure.Axis{Label: "mean completion time / least of all policies"}, figure.Axis{Label: "fraction of windows", Max: 1}, series)
}
