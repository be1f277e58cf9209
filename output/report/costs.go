package report

import (
	"slices"
	"strings"

	"tarry/internal/stats"
)

// take adds runs to the trials and to the costs.
func (f *folder) take(runs []*run) {
	for _, one := range runs {
		if one.costName != "" {
			f.costs = append(f.costs, one)
		} else {
			f.runs = append(f.runs, one)
		}
	}
}

// settle reports what trials and costs are compared by outside sweeps. All costs of a folder are of
// the same windows, whatever their agents see of them.
func (f *folder) settle() {
	settle(f.runs)
	for _, one := range f.costs {
		one.setting = join(one.axes, "")
	}
}

// meet gives the costs of agents that are seeds of one the name of that one.
func meet(runs []*run, seeds map[string][]string) {
	name := map[string]string{}
	for whole, policies := range seeds {
		for _, p := range policies {
			name[p] = whole
		}
	}
	for _, one := range runs {
		if whole, ok := name[one.policy]; ok && one.costName != "" {
			one.policy = whole
		}
	}
}

// costGroups groups the costs; nil = there are none.
func (f *folder) costGroups(opt Options) (*groups, error) {
	if len(f.costs) == 0 {
		return nil, nil
	}
	if len(f.runs) > 0 && !slices.ContainsFunc(f.costs, func(r *run) bool { return r.policy == opt.First }) {
		opt.First = "" // a policy of the trials
	}
	g, err := group(f.costs, opt, f.order)
	if err != nil {
		return nil, err
	}
	g.labels = f.labels
	for _, p := range g.policies { // rules of an environment are no schedulers
		g.blind[p] = true
	}
	return g, nil
}

// costTable is the table of what policies cost in environments outside the simulator, each compared
// with what was trained in its setting.
func (f *folder) costTable(g *groups) table {
	name, unit := f.costName()
	first := g.firstName()
	t := g.head("costs", "Costs outside the simulator")
	t.Note = "Means over windows that training did not see, and over training seeds; less is better. Differences " +
		"are against " + first + ", in pairs, with Student's 95 % intervals over windows, and over training seeds " +
		"where either has several. An interval marked ▼ lies below zero, one marked ▲ above."
	t.Columns[len(t.Columns)-1] = column{Name: "seeds", Num: true, Help: "training seeds; none = nothing was trained"}
	t.Columns = append(t.Columns, column{Name: "windows", Num: true})
	if name == "" {
		t.Columns = append(t.Columns, column{Name: "cost"})
	}
	t.Columns = append(t.Columns,
		column{Name: strings.TrimSpace("mean " + name), Unit: unit, Num: true, Help: "mean cost of a window"},
		column{Name: "difference", Unit: unit, Num: true, Help: "mean minus the first's on the same windows"},
		column{Name: "first is better on", Unit: "%", Num: true, Help: "share of windows, ties half"})
	g.each(f, t.Title, func(one *group1) { t.Rows = append(t.Rows, g.costRow(one, name == "")) })
	return t
}

// costName is the name and the unit of all costs; "" and "" when they have several names.
func (f *folder) costName() (name, unit string) {
	first := f.costs[0].costName
	if slices.ContainsFunc(f.costs, func(r *run) bool { return r.costName != first }) {
		return "", ""
	}
	return plainCost(first)
}

// plainCost gives the name of a mean cost in words and its unit.
func plainCost(name string) (words, unit string) {
	words = name
	if before, ok := strings.CutSuffix(name, "_s"); ok {
		words, unit = before, "s"
	}
	return strings.TrimSuffix(words, "_mean"), unit
}

// costRow is the row of a policy; named states that it names its cost.
func (g *groups) costRow(one *group1, named bool) []cell {
	row, costs := g.lead(one), one.grid(0)
	seeds := cell{}
	if one.units[0].runs[0].seeded {
		seeds.V = number(float64(len(costs)))
	}
	row[len(row)-1] = seeds
	row = append(row, cell{V: number(float64(len(one.windows)))})
	if named {
		row = append(row, cell{Text: one.units[0].runs[0].costName})
	}
	row = append(row, interval(one.estimate(0)))
	base := g.base(one.setting)
	if base == nil || base == one || len(one.windows) == 0 {
		return append(row, cell{}, cell{})
	}
	diff, better, err := stats.Against(base.grid(0), costs)
	diff = sameWindows(diff, err)
	c := interval(diff)
	c.Sign = diff.Sign(0) // the bounds are clean of rounding
	better = sameWindows(better, err)
	better.Point, better.Lo, better.Hi = 100*better.Point, 100*better.Lo, 100*better.Hi
	return append(row, c, interval(better))
}
