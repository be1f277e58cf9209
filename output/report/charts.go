package report

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"

	"tarry/internal/stats"
)

// numeric gives an axis's values as numbers; ok is false unless all are and two differ.
func numeric(all []*group1, name string) (at map[*group1]float64, ok bool) {
	at = map[*group1]float64{}
	seen := map[float64]bool{}
	for _, one := range all {
		for _, a := range one.axes {
			if a.Name != name {
				continue
			}
			v, err := strconv.ParseFloat(a.Value, 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, false
			}
			at[one], seen[v] = v, true
		}
	}
	return at, len(seen) > 1
}

// all lists the groups in order.
func (g *groups) all() []*group1 {
	var out []*group1
	for _, s := range g.settings {
		for _, p := range g.policies {
			if one := g.by[[2]string{s, p}]; one != nil {
				out = append(out, one)
			}
		}
	}
	return out
}

// maxWhere bounds the choices of "the other axes are": charts stay small.
const maxWhere = 24

// axisCharts draws every metric over each numeric axis, the other axes fixed.
func (g *groups) axisCharts() []chart {
	var out []chart
	all := g.all()
	for _, name := range g.columnsOf() {
		at, ok := numeric(all, name)
		if !ok {
			continue
		}
		where := map[string][]*group1{}
		var order []string
		for _, one := range all {
			if _, there := at[one]; !there {
				continue
			}
			var others []axisValue
			for _, a := range one.axes {
				if a.Name != name && a.Name != "policy" {
					others = append(others, a)
				}
			}
			k := join(others, "")
			if where[k] == nil {
				order = append(order, k)
			}
			where[k] = append(where[k], one)
		}
		out = append(out, g.axisChart(name, at, order, where))
	}
	return out
}

func (g *groups) axisChart(name string, at map[*group1]float64, order []string, where map[string][]*group1) chart {
	c := chart{ID: g.chartID("axis-" + name), Title: g.numbers() + " over " + name, Note: "Bands are Student's 95 % " +
		"intervals on the logarithm over seeds, or over the replicates or windows of one seed." + g.bothLevels() + g.key()}
	if len(order) > 1 {
		c.Note += " Other axes are chosen, not averaged over."
	}
	if n := len(order) - maxWhere; n > 0 {
		c.Note += fmt.Sprintf(" %d combinations of the other axes are left out, the page takes %d.", n, maxWhere)
		order = order[:maxWhere]
	}
	c.Picks = g.picks(order)
	for w, k := range order {
		for m := range g.shows() {
			v := view{Pick: g.picked(m, w, order), Mark: "line", X: axis{Label: name}, Y: g.axis(m, where[k][0])}
			for _, policy := range g.policies {
				s := series{Name: g.shown(policy), Colour: g.colour[policy]}
				list := slices.DeleteFunc(slices.Clone(where[k]),
					func(one *group1) bool { return one.policy != policy })
				sort.SliceStable(list, func(i, j int) bool { return at[list[i]] < at[list[j]] })
				for _, one := range list {
					s.add(at[one], one.estimate(m))
				}
				if len(s.X) > 0 {
					v.Series = append(v.Series, s)
				}
			}
			c.Views = append(c.Views, v)
		}
	}
	return c
}

// farApart reports whether values are all above 0 and so far apart that the small ones cannot be
// read on a linear axis.
func farApart(all []series) bool {
	least, most := math.Inf(1), 0.0
	for _, s := range all {
		for _, x := range s.X {
			if v := float64(x); !math.IsNaN(v) {
				least, most = min(least, v), max(most, v)
			}
		}
	}
	return least > 0 && most > 20*least
}

func (s *series) add(x float64, i stats.Interval) {
	s.X, s.Y, s.Lo, s.Hi = append(s.X, num(x)), append(s.Y, num(i.Point)), append(s.Lo, num(i.Lo)),
		append(s.Hi, num(i.Hi))
}

// policyChart draws every metric by policy, one setting at a time.
func (g *groups) policyChart() []chart {
	if len(g.policies) == 0 {
		return nil
	}
	c := chart{ID: g.chartID("policies"), Title: g.numbers() + " by policy", Note: "Bars are Student's 95 % " +
		"intervals on the logarithm over seeds, or over the replicates or windows of one seed." + g.bothLevels() + g.key()}
	settings := g.settings
	if n := len(settings) - maxWhere; n > 0 {
		c.Note += fmt.Sprintf(" %d settings are left out, the page takes %d.", n, maxWhere)
		settings = settings[:maxWhere]
	}
	c.Picks = g.picks(settings)
	if len(settings) > 1 {
		c.Note += " One setting of the sweep's axes at a time."
	}
	for w, s := range settings {
		for m := range g.shows() {
			v := view{Pick: g.picked(m, w, settings), Mark: "points", Y: axis{Label: "policy"}}
			for _, policy := range g.policies {
				if one := g.by[[2]string{s, policy}]; one != nil {
					line := series{Name: g.shown(policy), Colour: g.colour[policy]}
					v.X = g.axis(m, one)
					at := one.estimate(m)
					line.X, line.Y, line.Lo, line.Hi = []num{num(at.Point)}, []num{num(len(v.Y.Ticks))},
						[]num{num(at.Lo)}, []num{num(at.Hi)}
					v.Y.Ticks, v.Series = append(v.Y.Ticks, g.shown(policy)), append(v.Series, line)
				}
			}
			v.X.Log = farApart(v.Series)
			c.Views = append(c.Views, v)
		}
	}
	return []chart{c}
}

// Points of one distribution, and of all together.
const (
	cdfPoints    = 240
	maxCDFPoints = 200_000
)

// distributions draws the share of jobs below a completion time, queueing delay or slowdown.
func (f *folder) distributions(g *groups) []chart {
	kinds := [...]struct {
		title, unit string
		get         func(*run) []float64
	}{
		{"job completion time", "s", func(r *run) []float64 { return r.jct }},
		{"queueing delay", "s", func(r *run) []float64 { return r.queue }},
		{"slowdown", "", func(r *run) []float64 { return r.slowdown }},
	}
	c := chart{ID: "cdf", Title: "Distributions over jobs",
		Note: fmt.Sprintf("Share of finished jobs at or below a value, all seeds and replicates together, at %d "+
			"quantiles at most. Values of 0 lie at the left edge of a logarithmic axis.", cdfPoints) + g.key()}
	what, points, shown := pick{Label: "of"}, 0, []string{}
	for _, k := range kinds {
		what.Options = append(what.Options, k.title)
	}
	for _, s := range g.settings {
		if points >= maxCDFPoints {
			break
		}
		any := false
		for k, kind := range kinds {
			v := view{Pick: []int{k, len(shown)}, Mark: "step", X: axis{Label: kind.title, Unit: kind.unit, Log: true},
				Y: axis{Label: "share of jobs", Unit: ""}}
			for _, policy := range g.policies {
				one := g.by[[2]string{s, policy}]
				if one == nil {
					continue
				}
				var x []float64
				for _, u := range one.units {
					for _, r := range u.runs {
						x = append(x, kind.get(r)...)
					}
				}
				if line := cdf(x); len(line.X) > 0 {
					line.Name, line.Colour = g.shown(policy), g.colour[policy]
					v.Series = append(v.Series, line)
					points += len(line.X)
				}
			}
			any = any || len(v.Series) > 0
			c.Views = append(c.Views, v)
		}
		if !any {
			c.Views = c.Views[:len(c.Views)-len(kinds)]
			continue
		}
		shown = append(shown, s)
	}
	if len(shown) == 0 {
		return nil
	}
	if n := len(g.settings) - len(shown); n > 0 {
		c.Note += fmt.Sprintf(" %d settings are left out.", n)
	}
	c.Picks = []pick{what}
	if len(shown) > 1 {
		c.Picks = append(c.Picks, pick{Label: "where", Options: shown})
	} else {
		for i := range c.Views {
			c.Views[i].Pick = c.Views[i].Pick[:1]
		}
	}
	return []chart{c}
}

// cdf gives a distribution at even ranks, first and last included.
func cdf(x []float64) series {
	x, _ = stats.Finite(x)
	slices.Sort(x)
	var s series
	n := len(x)
	k := min(n, cdfPoints)
	for i := range k {
		at := i
		if n > k {
			at = i * (n - 1) / (k - 1)
		}
		s.X, s.Y = append(s.X, num(x[at])), append(s.Y, num(float64(at+1)/float64(n)))
	}
	return s
}
