package digest

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/experiments/sweep"
	"tarry/internal/stats"
	"tarry/output/figure"
	"tarry/output/knows"
	"tarry/output/results"
	"tarry/run/parts"
)

// Contender is a policy of a comparison on the same jobs.
type Contender struct {
	// Name is the policy's, as it was given.
	Name string
	// JCT are the completion times in seconds by replicate, of the jobs that all contenders
	// finished there; what is not finite is left out. Rows are the replicates' rows of the table
	// trials, in the same order.
	JCT  [][]float64
	Rows []results.Summary
	// Measures are the replicates' rows of the table measures; nil = there are none.
	Measures [][]results.Measure
}

// measure is a number of a replicate.
type measure struct {
	label string
	of    func(jct []float64, s *results.Summary) float64
}

// quantile is a quantile of the completion times.
func quantile(p float64) func(jct []float64, _ *results.Summary) float64 {
	return func(jct []float64, _ *results.Summary) float64 { return stats.Quantiles(jct, p)[0] }
}

func meanJCT(jct []float64, _ *results.Summary) float64 { return stats.Mean(jct) }

// values gives a number of each replicate.
func (c *Contender) values(m measure) []float64 {
	var out []float64
	for r := range c.Rows {
		x, _ := stats.Finite(c.JCT[r])
		out = append(out, m.of(x, &c.Rows[r]))
	}
	return out
}

// Compared draws a comparison: the distribution of completion times, where the time of the mean job
// goes, and completion times and makespan as ratios to the first contender on the same jobs. same
// states that all finished the same jobs; from has the policies of rows of earlier versions
// (knows.Row).
func Compared(all []Contender, same bool, from *parts.Catalogues) ([]sweep.Figure, error) {
	if err := someFinished(all); err != nil {
		return nil, err
	}
	cdf, err := comparedCDF(all, same)
	if err != nil {
		return nil, err
	}
	means, err := comparedMeans(all, same)
	if err != nil {
		return nil, err
	}
	ratios, err := comparedRatios(all, same)
	if err != nil {
		return nil, err
	}
	tenants, err := comparedTenants(all)
	if err != nil {
		return nil, err
	}
	var starred []string
	for _, c := range all {
		if len(c.Rows) > 0 && knows.Row(&c.Rows[0], c.Name, from.Policies) {
			starred = append(starred, c.Name)
		}
	}
	for _, f := range []*figure.Figure{cdf, means, ratios} {
		f.Star(starred, knows.Key)
	}
	for _, f := range tenants {
		f.Figure.Star(starred, knows.Key)
	}
	return append([]sweep.Figure{{Name: "jct_cdf", Caption: captioned("Completion times.", cdf), Figure: cdf},
		{Name: "means", Caption: captioned("Where the time of the mean job goes.", means), Figure: means},
		{Name: "relative", Caption: captioned("Ratios to "+all[0].Name+".", ratios), Figure: ratios}}, tenants...), nil
}

// someFinished refuses a comparison without a job that all contenders finished.
func someFinished(all []Contender) error {
	some := false
	for _, c := range all {
		for r := range c.Rows {
			if x, _ := stats.Finite(c.JCT[r]); len(x) > 0 {
				return nil
			}
			some = some || c.Rows[r].Finished > 0
		}
	}
	if some {
		return errors.New("no job finished under all policies: nothing to draw")
	}
	return errNoneFinished
}

var errNoneFinished = errors.New("no job finished: nothing to draw")

// noneFinished reports whether there are rows, and no job finished in any.
func noneFinished(rows []results.Trial) bool {
	return len(rows) > 0 && !slices.ContainsFunc(rows, func(r results.Trial) bool { return r.Finished > 0 })
}

func captioned(caption string, f *figure.Figure) string {
	return strings.TrimSpace(caption + " " + f.Note)
}

// common reports of what jobs completion times are where policies finished different ones.
func common(same bool) string {
	if same {
		return ""
	}
	return " Completion times of the jobs that all policies finished."
}

func comparedCDF(all []Contender, same bool) (*figure.Figure, error) {
	var samples []figure.Sample
	n := [2]int{math.MaxInt, 0}
	for _, c := range all {
		s := figure.Sample{Name: c.Name}
		for _, x := range c.JCT {
			x, _ = stats.Finite(x)
			s.Values = append(s.Values, x...)
		}
		n = [2]int{min(n[0], len(s.Values)), max(n[1], len(s.Values))}
		samples = append(samples, s)
	}
	f, err := figure.CDF("", figure.Axis{Label: "job completion time (s)", Log: true}, samples)
	if err == nil {
		f.Note = fmt.Sprintf("%s per line, of %s together; no interval.%s", sampleSize(n, "jobs"),
			strings.TrimPrefix(sampleSize([2]int{len(all[0].Rows), len(all[0].Rows)}, "replicates"), "n="),
			common(same))
	}
	return f, err
}

func comparedMeans(all []Contender, same bool) (*figure.Figure, error) {
	groups := []measure{{"completion", meanJCT},
		{"queueing", func(_ []float64, s *results.Summary) float64 { return s.QueueMean }},
		{"communication", func(_ []float64, s *results.Summary) float64 { return s.CommMean }}}
	f, err := contenders(all, all, groups, func(c *Contender, m measure) (stats.Interval, []float64) {
		return stats.Amounts(c.values(m)), c.values(m)
	},
		func(s []figure.Series) (figure.Axis, bool) {
			return figure.Axis{Label: "mean per job (s)", Log: spread(s) > wide}, spread(s) > wide
		})
	if err != nil {
		return nil, err
	}
	if f.Note = replicates(all, ": no interval."); len(all[0].Rows) > 1 {
		f.Note = "Means with Student's 95 % intervals on the logarithm over " + replicates(all, ".") +
			singles(len(all[0].Rows))
	}
	f.Note += common(same)
	return f, nil
}

func comparedRatios(all []Contender, same bool) (*figure.Figure, error) {
	groups := []measure{{"mean JCT", meanJCT}, {"median JCT", quantile(0.5)}, {"p99 JCT", quantile(0.99)},
		{"makespan", func(_ []float64, s *results.Summary) float64 { return s.Makespan }}}
	first, shown := &all[0], all
	if len(all) > 1 {
		shown = all[1:]
	}
	var failed error
	f, err := contenders(all, shown, groups, func(c *Contender, m measure) (stats.Interval, []float64) {
		values, base := c.values(m), first.values(m)
		p, err := stats.Paired(values, base)
		failed = cmp.Or(failed, err)
		for i := range values {
			values[i] /= base[i]
		}
		return p.Ratio, values
	}, func([]figure.Series) (figure.Axis, bool) {
		return figure.Axis{Label: figure.RatioTo + shortened(first.Name) + ", less is better", Log: true,
			Marks: []figure.Mark{{At: 1, Name: first.Name}}}, true
	})
	if failed != nil || err != nil {
		return nil, cmp.Or(failed, err)
	}
	if f.Note = "Ratios on the same jobs, " + replicates(all, ": no interval."); len(all[0].Rows) > 1 {
		f.Note = "Ratios of means in pairs, Student's 95 % intervals of their logarithms over " +
			replicates(all, ".") + singles(len(all[0].Rows))
	}
	f.Note += common(same)
	return f, nil
}

// shortened leaves the settings out of a long name: the legend has them.
func shortened(name string) string {
	if len(name) > 24 {
		name, _, _ = strings.Cut(name, ":")
	}
	return name
}

// singles reports what the dots are where units are few.
func singles(n int) string {
	if n >= stats.Few {
		return ""
	}
	return " Dots are single units." + tooFew(n)
}

// tooFew reports what to doubt where units are few.
func tooFew(n int) string {
	if n >= stats.Few {
		return ""
	}
	return " Of so few, intervals of skewed numbers hold less than 95 %."
}

// replicates writes how many there are.
func replicates(all []Contender, end string) string {
	n := len(all[0].Rows)
	return sampleSize([2]int{n, n}, "replicates") + end
}

// contenders draws groups of measures, a series per contender that is shown; of gives the interval
// and the values that it is of, which are drawn where they are few; axis states what the y axis is,
// and whether points are drawn.
func contenders(all, shown []Contender, groups []measure, of func(c *Contender, m measure) (stats.Interval, []float64),
	axis func([]figure.Series) (figure.Axis, bool)) (*figure.Figure, error) {
	labels := make([]string, len(groups))
	series := make([]figure.Series, len(shown))
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	looks := figure.Appearances(names)
	for g, m := range groups {
		labels[g] = m.label
		for i := range shown {
			iv, values := of(&shown[i], m)
			s := &series[i]
			if iv.N < 2 {
				iv.Lo, iv.Hi = math.NaN(), math.NaN()
			} else if iv.N < stats.Few {
				s.Singles(g, len(groups), values)
			}
			s.Name, s.Look = shown[i].Name, 1+looks[shown[i].Name]
			s.Y, s.Lo, s.Hi, s.N = append(s.Y, iv.Point), append(s.Lo, iv.Lo), append(s.Hi, iv.Hi), append(s.N, iv.N)
		}
	}
	y, points := axis(series)
	if points && slices.ContainsFunc(series, func(s figure.Series) bool {
		return slices.ContainsFunc(s.Y, func(v float64) bool { return v > 0 })
	}) {
		if len(y.Marks) > 0 {
			return figure.Forest("", y, labels, series)
		}
		return figure.Dots("", y, labels, series)
	}
	y.Log = false
	return figure.Bars("", y, labels, series)
}
