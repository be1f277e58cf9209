package report

import (
	"fmt"
	"math"
	"slices"

	"tarry/internal/stats"
)

// profileSteps bounds the steps of a performance profile.
const profileSteps = 60

// ratios has, of each policy and of each setting of the profile, the ratio to the least of all
// policies on each instance.
type ratios struct {
	settings []string
	by       []stats.Strata // policy -> setting -> instances
	n        int            // instances
}

// profile draws the share of instances (a seed, replicate or window of a setting) on which a
// policy's mean completion time, or cost, is at most tau times the least of all policies: Dolan and Moré
// (2002), with the interval of a proportion over instances within their setting. Only instances
// that all policies ran count.
func (g *groups) profile() []chart {
	if len(g.policies) < 2 {
		return nil
	}
	all := g.ratios()
	if all.n < 2 {
		return nil
	}
	c := chart{ID: g.chartID("profile"), Title: "Performance profile", Picks: []pick{},
		Note: fmt.Sprintf("Share of the %d instances (a seed, replicate or window, met by all policies) on which a "+
			"policy's %s is within this factor of the best one's; bands are 95 %% intervals of proportions.",
			all.n, g.mainNumber()) + g.key()}
	if len(all.settings) < 2 || len(all.settings) > maxWhere {
		c.Views = g.profileViews([]ratios{all})
		c.Views[0].Pick = []int{}
		if len(all.settings) > 1 {
			c.Note += fmt.Sprintf(" All %d settings are together, each with as much weight as it has instances; the "+
				"spread is over instances within their setting.", len(all.settings))
		}
		return []chart{c}
	}
	c.Note += " All settings together have as much weight each as they have instances, and the spread of instances " +
		"within their setting; or one setting is chosen."
	where := pick{Label: "where", Options: []string{"all settings together"}}
	parts := []ratios{all}
	for i, s := range all.settings {
		if len(all.by[0][i]) < 2 {
			continue
		}
		part := ratios{settings: []string{s}, n: len(all.by[0][i])}
		for _, st := range all.by {
			part.by = append(part.by, stats.Strata{st[i]})
		}
		parts, where.Options = append(parts, part), append(where.Options, s)
	}
	c.Views = g.profileViews(parts)
	for i := range c.Views {
		c.Views[i].Pick = []int{i}
	}
	c.Picks = []pick{where}
	return []chart{c}
}

// ratios compares the policies instance by instance.
func (g *groups) ratios() ratios {
	r := ratios{by: make([]stats.Strata, len(g.policies))}
	for _, s := range g.settings {
		first := g.by[[2]string{s, g.policies[0]}]
		if first == nil {
			continue
		}
		names, x := g.instances(s, first)
		of := make([][]float64, len(g.policies))
		for i := range names {
			least := math.Inf(1)
			for p := range x {
				least = min(least, x[p][i]) // NaN when any is
			}
			if least > 0 && !math.IsInf(least, 0) {
				for p := range x {
					of[p] = append(of[p], x[p][i]/least)
				}
			}
		}
		if len(of[0]) == 0 {
			continue
		}
		r.settings, r.n = append(r.settings, s), r.n+len(of[0])
		for p := range of {
			r.by[p] = append(r.by[p], of[p])
		}
	}
	return r
}

// profileViews draws a profile of each part over the range in which it changes, with a step at each
// ratio.
func (g *groups) profileViews(parts []ratios) []view {
	views, taus := make([]view, len(parts)), make([][]float64, len(parts))
	for i, r := range parts {
		var every []float64
		for _, st := range r.by {
			every = append(every, st.Pool()...)
		}
		taus[i] = profileTaus(every)
		views[i] = view{Mark: "step", X: axis{Label: g.mainNumber() + " / least of all policies",
			Log: taus[i][len(taus[i])-1] > 3}, Y: axis{Label: "share of instances"}}
	}
	for p, policy := range g.policies {
		for i, r := range parts {
			out := series{Name: g.shown(policy), Colour: g.colour[policy]}
			for k, share := range profiled(r.by[p], taus[i]) {
				out.add(taus[i][k], share)
			}
			views[i].Series = append(views[i].Series, out)
		}
	}
	return views
}

// profileTaus are the factors at which a profile is drawn: those at which some policy's share
// changes, at most profileSteps of them, from 1 to a little beyond the last.
func profileTaus(every []float64) []float64 {
	x, _ := stats.Finite(every)
	x = append(x, 1)
	slices.Sort(x)
	x = slices.Compact(x)
	if n := len(x); n > profileSteps {
		some := make([]float64, profileSteps)
		for i := range some {
			some[i] = x[i*(n-1)/(profileSteps-1)]
		}
		x = some
	}
	last := x[len(x)-1]
	return append(x, last+max(0.01, 0.05*(last-1)))
}

// profiled is the profile of ratios at most tau, which counts scores above.
func profiled(of stats.Strata, taus []float64) []stats.Interval {
	scores, bounds := make(stats.Strata, len(of)), make([]float64, len(taus))
	for i, part := range of {
		for _, r := range part {
			scores[i] = append(scores[i], -r)
		}
	}
	for i, tau := range taus {
		bounds[i] = math.Nextafter(-tau, math.Inf(-1)) // a ratio of tau itself counts too
	}
	return stats.Profile(scores, bounds)
}

// instances lists the units of a setting, or its windows with means over seeds where intervals are
// over both, and the mean completion time of every policy on each; NaN = it did not run there.
func (g *groups) instances(setting string, first *group1) (names []string, x [][]float64) {
	if names = first.windows; len(names) == 0 {
		for _, u := range first.units {
			names = append(names, u.key)
		}
	}
	for _, policy := range g.policies {
		row := make([]float64, len(names))
		one := g.by[[2]string{setting, policy}]
		switch {
		case one != nil && len(one.windows) > 0:
			grid := one.grid(0)
			for _, seed := range grid {
				for w, v := range seed {
					row[w] += v / float64(len(grid))
				}
			}
		default:
			at := map[string]float64{}
			if one != nil {
				for _, u := range one.units {
					at[u.key] = u.x[0]
				}
			}
			for i, name := range names {
				v, there := at[name]
				if row[i] = v; !there {
					row[i] = math.NaN()
				}
			}
		}
		x = append(x, row)
	}
	return names, x
}
