package elastic

import (
	"strconv"

	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

// specs gives the sweeps: the timers, rules against the load, the range of jobs, the price of a
// resize, links that jobs share, other schedulers, the same for the choice among their forms, and
// deadlines.
func specs(scale string) []sweep.Spec {
	return []sweep.Spec{timers(scale), loads(scale), ranges(scale), prices(scale), networks(scale),
		beside(scale, "others", bases(), others()), validation(scale), deadlines(scale, "due", punctual()),
		dueValidation(scale), paid(scale)}
}

const (
	slow, fast = "ethernet:4x4x8", "4x4x8"
	half       = "min=0.5x,max=2x"
	wide       = "min=1,max=4x,most=64"
)

// base are the settings that all sweeps share: jobs of one to 64 GPUs of six models on 16 machines
// of eight GPUs in four racks.
func base(scale, load string) sweep.Settings {
	return sweep.Settings{
		"trace":   "synth:poisson,load=" + load + ",jobs=" + strconv.Itoa(sweep.At(scale, 60, 300, 800)),
		"cluster": sweep.At(scale, "ethernet:2x2x8", slow, slow), "speed": "collective", "elastic": half,
		"costs": costs("30"),
	}
}

// costs are the costs of a preemption and of a resize, in seconds.
func costs(rescale string) string { return "checkpoint_s=5,restore_s=10,rescale_s=" + rescale }

// of is a sweep of the question.
func of(scale, name string, set sweep.Settings, axes ...sweep.Axis) sweep.Spec {
	return sweep.Spec{Name: "elastic-" + name, Kind: "simulate", Base: set, Axes: axes,
		Seeds: sweep.FirstSeeds(sweep.At(scale, 2, 4, 6))}
}

// linksAxis has slow links and fast ones.
func linksAxis(scale string) sweep.Axis {
	return sweep.Axis{Name: "links", Cases: []sweep.Case{
		{Name: "slow", Set: sweep.Settings{"cluster": sweep.At(scale, "ethernet:2x2x8", slow, slow)}},
		{Name: "fast", Set: sweep.Settings{"cluster": sweep.At(scale, "2x2x8", fast, fast)}},
	}}
}

func loads(scale string) sweep.Spec {
	return of(scale, "load", base(scale, "{load}"), linksAxis(scale),
		sweep.Axis{Name: "load", Values: sweep.At(scale, []string{"0.9"}, []string{"0.5", "0.9"},
			[]string{"0.5", "0.7", "0.9", "1.1"})},
		axisOf(ruled()))
}

// beside are schedulers on the jobs of Dally with and without rules.
func beside(scale, name string, who ...[]scheduler) sweep.Spec {
	return of(scale, name, base(scale, "{busy}"), linksAxis(scale), sweep.Axis{Name: "between", Cases: elasticCases()},
		sweep.Axis{Name: "busy", Values: sweep.At(scale, []string{"0.9"}, []string{"0.9"}, []string{"0.5", "0.9"})},
		axisOf(who...))
}

// validation has the schedulers of several forms on other seeds, half as many.
func validation(scale string) sweep.Spec {
	s := beside(scale, "others-validation", forms())
	s.Seeds = rivals.Validation(len(s.Seeds) / 2)
	return s
}

// elasticCases are the two ranges of elastic jobs.
func elasticCases() []sweep.Case {
	return []sweep.Case{{Name: "half", Set: sweep.Settings{"elastic": half}},
		{Name: "wide", Set: sweep.Settings{"elastic": wide}}}
}

// rangesOf are the ranges of GPUs that jobs are given.
func rangesOf() []sweep.Case {
	return []sweep.Case{
		{Name: "rigid", Set: sweep.Settings{}},
		{Name: "half of 30 %", Set: sweep.Settings{"elastic": half + ",fraction=0.3"}},
		{Name: "half", Set: sweep.Settings{"elastic": half}},
		{Name: "wide", Set: sweep.Settings{"elastic": wide}},
	}
}

func ranges(scale string) sweep.Spec {
	set := base(scale, "0.9")
	delete(set, "elastic")
	return of(scale, "range", set, sweep.Axis{Name: "range", Cases: rangesOf()}, axisOf(few()))
}

// prices varies what a resize costs, with the range in which jobs are resized most.
func prices(scale string) sweep.Spec {
	set := base(scale, "0.9")
	set["elastic"] = wide
	axis := sweep.Axis{Name: "rescale"}
	for _, s := range []string{"0", "30", "120"} {
		axis.Cases = append(axis.Cases, sweep.Case{Name: s, Set: sweep.Settings{"costs": costs(s)}})
	}
	return of(scale, "rescale", set, axis, axisOf(few()))
}

// networks has links that jobs share.
func networks(scale string) sweep.Spec {
	return of(scale, "network", base(scale, "0.7"), sweep.Axis{Name: "network", Cases: []sweep.Case{
		{Name: "own links", Set: sweep.Settings{"speed": "collective"}},
		{Name: "shared links", Set: sweep.Settings{"speed": "contended"}},
	}}, axisOf(few()))
}

// timers varies both timers, in leases, for each of the rules. With no wait a rule comes before a
// spread start, too.
func timers(scale string) sweep.Spec {
	set := base(scale, "0.9")
	axis := sweep.Axis{Name: "rules"}
	for _, r := range rules() {
		if r.name != "yield-loss" && r.name != "shrink-least" && r.name != "grow-first" && r.name != "all-deep" &&
			r.name != "yield" {
			axis.Cases = append(axis.Cases, sweep.Case{Name: ruleName(r.name), Set: sweep.Settings{"policy": timed(r)}})
		}
	}
	s := of(scale, "timers", set, linksAxis(scale), sweep.Axis{Name: "jobs", Cases: elasticCases()},
		sweep.Axis{Name: "wait", Values: sweep.At(scale, []string{"0", "4"}, []string{"0", "1", "4", "16"},
			[]string{"0", "1", "4", "8", "16"})}, axis)
	s.Seeds = sweep.FirstSeeds(sweep.At(scale, 2, 4, 10))
	return s
}

// timed is Dally with both timers at the value of the axis wait, and rules that come before a
// spread start.
func timed(r scheduler) string {
	policy := "dally-manual:t_rack={wait},t_net={wait}"
	if r.policy == "" {
		return policy
	}
	return policy + "," + r.policy + ",before=spread"
}

func ruleName(rule string) string {
	if rule == "" {
		return "none"
	}
	return rule
}
