package predictors

import (
	"fmt"
	"math"

	"tarry/internal/stats"
	"tarry/sim/law"
)

// column is a number of how well a predictor did.
type column struct {
	name   string
	digits int
	of     func(t *law.Tally) float64
}

func columns() []column {
	return []column{
		{"R2", 2, func(t *law.Tally) float64 { return t.R2() }},
		{"spread left", 2, func(t *law.Tally) float64 { return t.SD() }},
		{"spread stated", 2, func(t *law.Tally) float64 { return t.Mean(t.Spread) }},
		{"underestimated", 2, func(t *law.Tally) float64 { return 1 - t.Part(t.Below50) }},
		{"within the 90 % quantile", 2, func(t *law.Tally) float64 { return t.Part(t.Below90) }},
	}
}

// accuracyTable has a row per predictor: means over settings.
func (s *sheet) accuracyTable() string {
	var g grid
	var names []string
	for _, c := range columns() {
		names = append(names, c.name)
	}
	g.head([]string{"predictor"}, append([]string{"settings"}, names...)...)
	for _, p := range s.predictors {
		var all []law.Tally
		for _, one := range s.settings {
			if t := s.told[[2]string{one, p}]; t.Jobs > 0 && s.ran(one, p) {
				all = append(all, t)
			}
		}
		if len(all) == 0 {
			continue
		}
		row := []string{"`" + p + "`", fmt.Sprint(len(all))}
		for _, c := range columns() {
			var values []float64
			for i := range all {
				values = append(values, c.of(&all[i]))
			}
			iv := stats.Student(values)
			row = append(row, cell(iv, c.digits))
		}
		g.row(row...)
	}
	return g.text("Means over settings with 95 % intervals over settings. Spreads are standard deviations of the " +
		"natural log of run time. A calibrated law underestimates 0.5 of the jobs by its median, and 0.9 stay " +
		"within its 90 % quantile.")
}

// ran reports whether a setting had the predictor: one that had not has no row with it.
func (s *sheet) ran(setting, predictor string) bool {
	return s.jct[which{setting, predictor, kinds()[0].orders[0]}] != nil
}

// r2Table has a row per setting and a column per predictor.
func (s *sheet) r2Table() string {
	var g grid
	var names []string
	for _, p := range s.predictors {
		if p != exact {
			names = append(names, p)
		}
	}
	g.head([]string{"setting"}, append([]string{"jobs", "spread"}, names...)...)
	for _, one := range s.settings {
		row := []string{one, "", ""}
		for _, p := range names {
			t := s.told[[2]string{one, p}]
			if t.Jobs == 0 || !s.ran(one, p) {
				row = append(row, "")
				continue
			}
			row[1], row[2] = fmt.Sprint(t.Jobs/s.schedulers(one, p)), fmt.Sprintf("%.2f", t.LogRunSD())
			row = append(row, fmt.Sprintf("%.2f", t.R2()))
		}
		g.row(row...)
	}
	return g.text("R2 of log run time over the jobs of all windows, each predicted at its submit from what had " +
		"ended by then; spread is the standard deviation of the natural log of run time.")
}

// schedulers is how many ran with a predictor on a setting: each predicted all jobs anew.
func (s *sheet) schedulers(setting, predictor string) int {
	n := 0
	for k := range s.jct {
		if k.setting == setting && k.predictor == predictor {
			n++
		}
	}
	return n
}

// accuracyAll has a row per setting and predictor.
func (s *sheet) accuracyAll() string {
	var g grid
	var names []string
	for _, c := range columns() {
		names = append(names, c.name)
	}
	g.head([]string{"setting", "predictor"}, names...)
	for _, one := range s.settings {
		for _, p := range s.predictors {
			t := s.told[[2]string{one, p}]
			if t.Jobs == 0 || !s.ran(one, p) {
				continue
			}
			row := []string{one, "`" + p + "`"}
			for _, c := range columns() {
				v := c.of(&t)
				row = append(row, cell(stats.Interval{Point: v, Lo: math.NaN()}, c.digits))
			}
			g.row(row...)
		}
	}
	return g.text("Over the jobs of all windows and the schedulers that ran with the predictor: no intervals. " +
		"Spreads are standard deviations of the natural log of run time.")
}
