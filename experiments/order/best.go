package order

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tarry/experiments/sweep"
	rows "tarry/output/results"
)

// What stands beside learners, for each workload: the rule with the least mean on its windows of
// test, which favours it; the tuned rule with the least mean on the windows of
// validation, which a user could have chosen; and the training of order-linear that did
// best on validation, which a user could have chosen as well, at the cost of all of them.
const (
	bestRule   = "best rule"
	chosenRule = "rule by validation"
	chosenSeed = "seed by validation"
)

// settings lists the workloads in the order of the tables.
func settings() []string { return []string{"recur-1.1", "recur-0.9", "batch", "week", "philly"} }

// ruleNames lists the rivals of the learners: what is tuned, and what has no number to tune and stands
// beside it. None knows run times.
func ruleNames(d *sweep.Data, all []rows.Eval) []string {
	var tuned, fixed []string
	for i := range all {
		c, ok := d.Cell(all[i].Keys)
		if !ok || c.Kind != "tune" {
			continue
		}
		how, _ := c.Settings["evaluate"].(map[string]any)
		beside, _ := how["baselines"].([]any)
		name := nameOf(&c, &all[i])
		switch {
		case all[i].Agent != "" && !slices.Contains(tuned, name):
			tuned = append(tuned, name)
		case all[i].Agent == "" && name != "dally" && slices.Contains(beside, any(name)) && !slices.Contains(fixed, name):
			fixed = append(fixed, name)
		}
	}
	return append(tuned, fixed...)
}

// named is a row's name in tables: the learner for what was trained or tuned, the policy for
// others.
func nameOf(c *sweep.Cell, r *rows.Eval) string {
	if r.Agent != "" {
		return c.Axes["learner"]
	}
	return r.Policy
}

// winners gives, for each setting, the rival with the least mean completion time over the windows.
func winners(d *sweep.Data, all []rows.Eval) map[string]string {
	type total struct {
		sum float64
		n   int
	}
	sums := map[[2]string]*total{}
	rivals := ruleNames(d, all)
	for i := range all {
		c, ok := d.Cell(all[i].Keys)
		if !ok || c.Axes["setting"] == "" {
			continue
		}
		name := nameOf(&c, &all[i])
		if !slices.Contains(rivals, name) {
			continue
		}
		at := [2]string{c.Axes["setting"], name}
		if sums[at] == nil {
			sums[at] = &total{}
		}
		sums[at].sum, sums[at].n = sums[at].sum+all[i].JCTMean, sums[at].n+1
	}
	out, least := map[string]string{}, map[string]float64{}
	for _, name := range rivals { // in the order of the tables, so that ties are the same in all runs
		for at, t := range sums {
			if at[1] != name {
				continue
			}
			if mean := t.sum / float64(t.n); out[at[0]] == "" || mean < least[at[0]] {
				out[at[0]], least[at[0]] = name, mean
			}
		}
	}
	return out
}

// byValidation gives, for each setting, the tuned rule whose best candidate has the least cost on
// validation. All have the same windows. Where rules were tuned for costs that are not on one scale
// (see scale), all are compared by the mean completion time.
func byValidation(d *sweep.Data, tuned []rows.Tune) map[string]string {
	scales := map[string]bool{}
	for i := range tuned {
		if tuned[i].Stage == "validation" {
			scales[scale(d, &tuned[i])] = true
		}
	}
	out, least := map[string]string{}, map[string]float64{}
	for i := range tuned {
		t := &tuned[i]
		if t.Stage != "validation" {
			continue
		}
		value := t.Cost
		if len(scales) > 1 {
			value = t.Mean
		}
		at := d.Axis(t.Keys, "setting")
		if lo, ok := least[at]; !ok || value < lo {
			out[at], least[at] = d.Axis(t.Keys, "learner"), value
		}
	}
	return out
}

// scale reports in what the cost of a row is: a row of an earlier version, which made the mean in
// seconds small, states none; others have it by the settings of their cell, relative to what
// these name.
func scale(d *sweep.Data, t *rows.Tune) string {
	if math.IsNaN(t.Cost) {
		return "no cost"
	}
	c, _ := d.Cell(t.Keys)
	return fmt.Sprint(t.Metric, c.Settings["cost"], c.Settings["against"])
}

// withBest puts the rows of each setting's best rule, and of the rule that validation chose, before
// all others once more, as schedulers of those names, workloads in the order of settings.
func withBest(d *sweep.Data, all []rows.Eval, tuned []rows.Tune, curves []rows.Curve) []rows.Eval {
	out := renamed(d, all, winners(d, all), bestRule)
	out = append(out, renamed(d, all, byValidation(d, tuned), chosenRule)...)
	out = append(out, ofSeeds(d, all, seeds(d, curves))...)
	at := func(r rows.Eval) int {
		return slices.Index(settings(), d.Axis(r.Keys, "setting"))
	}
	slices.SortStableFunc(out, func(a, b rows.Eval) int { return cmp.Compare(at(a), at(b)) })
	return append(out, all...)
}

// renamed gives the rows of one scheduler per setting, under one name.
func renamed(d *sweep.Data, all []rows.Eval, of map[string]string, as string) []rows.Eval {
	var out []rows.Eval
	for _, r := range all {
		c, ok := d.Cell(r.Keys)
		if !ok || c.Axes["setting"] == "" || nameOf(&c, &r) != of[c.Axes["setting"]] {
			continue
		}
		r.Agent, r.Policy = "", as
		out = append(out, r)
	}
	return out
}

// seeds gives, for each setting, the cell of order-linear whose training did best on validation.
func seeds(d *sweep.Data, curves []rows.Curve) map[string]string {
	out, most := map[string]string{}, map[string]float64{}
	for i := range curves {
		r := &curves[i]
		c, ok := d.Cell(r.Keys)
		at := c.Axes["setting"]
		if !ok || at == "" || c.Axes["learner"] != linear || math.IsNaN(r.Validation) {
			continue
		}
		if best, ok := most[at]; !ok || r.Validation > best {
			out[at], most[at] = r.Cell, r.Validation
		}
	}
	return out
}

// ofSeeds gives the agents' rows of some cells by setting, as rows of a scheduler.
func ofSeeds(d *sweep.Data, all []rows.Eval, cells map[string]string) []rows.Eval {
	var out []rows.Eval
	for _, r := range all {
		if r.Agent == "" || r.Cell != cells[d.Axis(r.Keys, "setting")] {
			continue
		}
		r.Agent, r.Policy = "", chosenSeed
		out = append(out, r)
	}
	return out
}
