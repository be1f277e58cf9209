package report

import (
	"fmt"
	"math"
	"slices"

	"tarry/internal/results"
	"tarry/internal/stats"
)

// curvePoints bounds the points of one learning curve.
const curvePoints = 300

// curveColumns lists what is drawn of training.
func curveColumns() []struct {
	title string
	get   func(*results.Curve) float64
} {
	type c = results.Curve
	return []struct {
		title string
		get   func(*results.Curve) float64
	}{
		{"mean return of training episodes", func(r *c) float64 { return r.ReturnMean }},
		{"return on validation", func(r *c) float64 { return r.Validation }},
		{"policy loss", func(r *c) float64 { return r.LossPolicy }},
		{"value loss", func(r *c) float64 { return r.LossValue }},
		{"entropy", func(r *c) float64 { return r.Entropy }},
		{"KL divergence", func(r *c) float64 { return r.KL }},
		{"clipped share", func(r *c) float64 { return r.ClipFrac }},
		{"explained variance", func(r *c) float64 { return r.ExplVar }},
		{"learning rate", func(r *c) float64 { return r.LR }},
	}
}

// curveCharts draws training: one line per label, over its seeds.
func curveCharts(all []learned) []chart {
	if len(all) == 0 {
		return nil
	}
	var labels []string
	by := map[string][]learned{}
	seeds := 0
	for _, l := range all {
		if by[l.label] == nil {
			labels = append(labels, l.label)
		}
		by[l.label] = append(by[l.label], l)
		seeds = max(seeds, len(by[l.label]))
	}
	c := chart{ID: "curves", Title: "Learning curves", Picks: []pick{{Label: "of"}},
		Note: fmt.Sprintf("Means over seeds with Student's 95 %% band, at the numbers of steps that all seeds of a line have reached; %d points of a line at most.", curvePoints)}
	if seeds == 1 {
		c.Note = fmt.Sprintf("One seed: no band. %d points of a line at most.", curvePoints)
	}
	for _, col := range curveColumns() {
		v := view{Pick: []int{len(c.Picks[0].Options)}, Mark: "line", X: axis{Label: "environment steps"}, Y: axis{Label: col.title}}
		for i, label := range labels {
			s := curve(by[label], col.get)
			if s.Name, s.Colour = label, i; s.Name == "" {
				s.Name = by[label][0].rows[0].Agent
			}
			if len(s.X) > 0 {
				v.Series = append(v.Series, s)
			}
		}
		if len(v.Series) > 0 {
			c.Picks[0].Options = append(c.Picks[0].Options, col.title)
			c.Views = append(c.Views, v)
		}
	}
	if len(c.Views) == 0 {
		return nil
	}
	return []chart{c}
}

// curve averages a column over runs, at the steps at which all have a number.
func curve(runs []learned, get func(*results.Curve) float64) series {
	at := map[int64][]float64{}
	for i := range runs {
		for j := range runs[i].rows {
			r := &runs[i].rows[j]
			if v := get(r); !math.IsNaN(v) && !math.IsInf(v, 0) {
				at[r.EnvSteps] = append(at[r.EnvSteps], v)
			}
		}
	}
	var steps []int64
	for s, x := range at {
		if len(x) == len(runs) {
			steps = append(steps, s)
		}
	}
	slices.Sort(steps)
	var out series
	k := min(len(steps), curvePoints)
	for i := range k {
		s := steps[i]
		if len(steps) > k {
			s = steps[i*(len(steps)-1)/(k-1)]
		}
		out.add(float64(s), stats.TInterval(at[s], level))
	}
	if len(runs) < 2 {
		out.Lo, out.Hi = nil, nil
	}
	return out
}
