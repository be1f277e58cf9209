package results

import (
	"slices"

	"tarry/experiments/sweep"
)

// pair is a setting that an agent is trained on and one that it is measured on.
type pair struct{ trained, tested string }

func (p pair) name() string { return p.trained + "_to_" + p.tested }

// pairs are another load, another law of jobs in both directions, and another size of cluster.
func pairs() []pair {
	return []pair{
		{"synth-0.7-64-collective", "synth-0.9-64-collective"},
		{"synth-0.9-64-collective", "synth-0.9-512-collective"},
		{"philly-64-collective", "batch-64-collective"},
		{"philly-64-collective", "week-64-collective"},
		{"week-64-collective", "philly-64-collective"},
		{"batch-64-collective", "philly-64-collective"},
	}
}

// transfers are the sweeps of agents that are measured on a setting that they were not trained on,
// one for timers and one for preemption.
func transfers(scale string) []sweep.Spec {
	var out []sweep.Spec
	for _, l := range learners() {
		if l.name != "timers-ppo" && l.name != "preempt-ppo" {
			continue
		}
		over := sweep.Axis{Name: "pair"}
		for _, p := range pairs()[:sweep.At(scale, 1, 1, len(pairs()))] {
			from, here := find(p.trained)
			to, there := find(p.tested)
			if !here || !there {
				continue
			}
			set := l.on(scale, from)
			how := measured(scale, rulers())
			how["set"] = sweep.Exchange(l.optionsOn(from), l.optionsOn(to))
			set["evaluate"] = how
			over.Cases = append(over.Cases, sweep.Case{Name: p.name(), Set: set})
		}
		if len(over.Cases) == 0 {
			continue
		}
		base := l.base(scale)
		delete(base, "evaluate")
		out = append(out, named(scale, "results-transfer-"+l.name, l.name, "learn", base, over))
	}
	return out
}

// find gives a setting by its name.
func find(name string) (setting, bool) {
	all := settings()
	i := slices.IndexFunc(all, func(s setting) bool { return s.name == name })
	if i < 0 {
		return setting{}, false
	}
	return all[i], true
}
