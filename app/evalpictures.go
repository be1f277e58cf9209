package app

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tarry/experiments/digest"
	"tarry/internal/stats"
	"tarry/output/figure"
	"tarry/output/knows"
	"tarry/run/compare"
	"tarry/run/evaluate"
)

// drawEvaluation draws what an evaluation found, from its rows alone, and names the files: the
// distribution of completion times, the means, the differences from the first agent and the
// performance profile; outside the simulator all of them of the windows' costs. Single seeds of an
// agent that is drawn as one are left out.
func drawEvaluation(dir string, rows []evaluate.Row, labels map[string]string) (string, error) {
	var shown []evaluate.Row
	var names, starred []string
	for _, r := range withShortNames(rows) {
		if !r.Member {
			shown = append(shown, r)
		}
		if knows.Clairvoyant(r.Knows()) {
			starred = append(starred, r.Policy)
		}
	}
	for _, p := range [...]struct {
		name string
		draw func([]evaluate.Row) (*figure.Figure, error)
	}{{evalCDFName(rows), evalCDF}, {"means", evalBars}, {"difference", evalDifference}, {"profile", evalProfile}} {
		if p.name == "difference" && len(shown) == 1 {
			continue // no other row to compare with
		}
		f, err := p.draw(shown)
		if err != nil {
			return "", err
		}
		f.Star(starred, knows.Key)
		f.Label(labels)
		if err := f.Save(dir, p.name); err != nil {
			return "", err
		}
		names = append(names, filepath.Join(dir, p.name))
	}
	return strings.Join(names, ", ") + " (.png, .svg, .pdf, .csv, .parquet)", nil
}

// withShortNames gives the rows with the names of pictures: what tuning found is in the tables. Two
// that would have one name keep their own.
func withShortNames(rows []evaluate.Row) []evaluate.Row {
	n := map[string]int{}
	for _, r := range rows {
		n[cmp.Or(r.Short, r.Policy)]++
	}
	out := slices.Clone(rows)
	for i, r := range out {
		if r.Label == "" && r.Short != "" && n[r.Short] == 1 {
			out[i].Policy = r.Short
		}
	}
	return out
}

// evalCDFName is the file of evalCDF.
func evalCDFName(rows []evaluate.Row) string {
	if rows[0].CostName != "" {
		return "cost_cdf"
	}
	return "jct_cdf"
}

// evalCDF pools the jobs of all windows that all policies finished; outside the simulator the costs
// of all windows.
func evalCDF(rows []evaluate.Row) (*figure.Figure, error) {
	if cost := rows[0].CostName; cost != "" {
		var samples []figure.Sample
		for _, r := range rows {
			samples = append(samples, figure.Sample{Name: r.Policy, Values: r.JCT})
		}
		f, err := figure.CDFOf("windows", "", figure.Axis{Label: cost + " of a window"}, samples)
		if err == nil {
			f.Note = fmt.Sprintf("Costs of %d windows (and of all training seeds) together; no interval.",
				rows[0].Windows())
		}
		return f, err
	}
	var samples []figure.Sample
	for _, r := range rows {
		s := figure.Sample{Name: r.Policy}
		for i, run := range r.Runs {
			s.Values = append(s.Values, run.Over(r.Common[i%len(r.Common)])...)
		}
		samples = append(samples, s)
	}
	f, err := figure.CDF("", figure.Axis{Label: "job completion time (s)", Log: true}, samples)
	if err == nil {
		f.Note = fmt.Sprintf("Jobs that all policies finished, of %d windows (and of all training seeds) "+
			"together; no interval.", rows[0].Windows())
	}
	return f, err
}

// evalBars draws where the time of the mean job goes, outside the simulator the mean cost; Student's
// interval on the logarithm over the windows, of which an agent of several seeds has its seeds' means.
func evalBars(rows []evaluate.Row) (*figure.Figure, error) {
	groups := []struct{ column, label string }{{"jct_mean_s", "completion"}, {"queue_mean_s", "queueing"},
		{"comm_mean_s", "communication"}}
	axis := "mean per job (s)"
	if cost := rows[0].CostName; cost != "" {
		groups, axis = groups[:1], "mean over windows"
		groups[0].label = cost
	}
	var labels []string
	for _, g := range groups {
		labels = append(labels, g.label)
	}
	var series []figure.Series
	for _, r := range rows {
		s := figure.Series{Name: r.Policy}
		for k, g := range groups {
			x := windowMeans(&r, g.column)
			i := stats.Amounts(x)
			if 1 < len(x) && len(x) < stats.Few {
				s.Singles(k, len(groups), x)
			}
			s.Y, s.Lo, s.Hi = append(s.Y, i.Point), append(s.Lo, i.Lo), append(s.Hi, i.Hi)
		}
		series = append(series, s)
	}
	f, err := figure.Bars("", figure.Axis{Label: axis}, labels, series)
	if err == nil {
		f.Note = overWindows(rows, "Means with Student's 95 %% intervals on the logarithm over n=%d windows (of "+
			"several training seeds, over the means of all seeds there).")
		if n := rows[0].Windows(); 1 < n && n < stats.Few {
			f.Note += " Dots are single windows. Of so few, intervals of skewed numbers hold less than 95 %."
		}
	}
	return f, err
}

// overWindows writes how many windows there are into a note; one has no interval.
func overWindows(rows []evaluate.Row, note string) string {
	if n := rows[0].Windows(); n > 1 {
		return fmt.Sprintf(note, n)
	}
	return "n=1 window: no interval."
}

// windowMeans gives a number of every window that has one, the mean over seeds.
func windowMeans(r *evaluate.Row, column string) []float64 {
	out := make([]float64, r.Windows())
	if r.CostName != "" {
		for i, cost := range r.JCT {
			out[i%len(out)] += cost / float64(r.Seeds)
		}
		return out
	}
	for _, col := range compare.Columns() {
		for i, run := range r.Runs {
			v := col.Get(&run.Row.Summary)
			if column == "jct_mean_s" {
				v = r.JCT[i]
			}
			if col.Name == column {
				out[i%len(out)] += v / float64(r.Seeds)
			}
		}
	}
	return slices.DeleteFunc(out, math.IsNaN)
}

// evalDifference draws how much longer jobs take than with the first agent, in pairs, with the
// interval of the table.
func evalDifference(rows []evaluate.Row) (*figure.Figure, error) {
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r.Policy
	}
	looks := figure.Appearances(names)
	var series []figure.Series
	for _, r := range rows[1:] {
		series = append(series, figure.Series{Name: r.Policy, Look: 1 + looks[r.Policy], Y: []float64{r.Diff.Point},
			Lo: []float64{r.Diff.Lo}, Hi: []float64{r.Diff.Hi}, N: []int{r.Diff.N}})
	}
	label, group := "mean JCT against the dashed line (s), less is better", "mean completion time"
	if cost := rows[0].CostName; cost != "" {
		label, group = "mean "+cost+" against the dashed line, less is better", "mean "+cost
	}
	x := figure.Axis{Label: label, Marks: []figure.Mark{{At: 0, Name: rows[0].Policy,
		Look: 1 + looks[rows[0].Policy]}}}
	f, err := figure.Forest("", x, []string{group}, series)
	if err == nil {
		f.Note = overWindows(rows, "Differences in pairs, Student's 95 %% intervals over n=%d windows")
		if f.Note = strings.TrimSuffix(f.Note, "."); rows[0].Seeds > 1 {
			f.Note += fmt.Sprintf(" and n=%d training seeds", rows[0].Seeds)
		}
		f.Note += "."
	}
	return f, err
}

// evalProfile draws the performance profile: the share of windows on which a policy's mean
// completion time, or cost, is within a factor of the least of all.
func evalProfile(rows []evaluate.Row) (*figure.Figure, error) {
	var names []string
	var grids [][][]float64
	for _, r := range rows {
		var g [][]float64
		for seed := range r.Seeds {
			g = append(g, r.JCT[seed*r.Windows():(seed+1)*r.Windows()])
		}
		names, grids = append(names, r.Policy), append(grids, g)
	}
	return digest.WindowProfile(cmp.Or(rows[0].CostName, "mean completion time"), names, grids)
}
