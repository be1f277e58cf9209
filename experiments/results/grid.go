package results

import (
	"slices"
	"strings"

	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

// specs gives a sweep per learner, one per scheduler that an optimiser tuned, and sweeps of agents
// on settings that they were not trained on.
func specs(scale string) []sweep.Spec {
	out := make([]sweep.Spec, 0, 16)
	for i, t := range tunedOnes() {
		beside := rulers()
		if i == 0 {
			beside = append(baselines(), fixedTimers()...)
		}
		out = append(out, tuning(scale, t, beside))
	}
	for _, l := range learners() {
		out = append(out, learning(scale, l))
	}
	return append(out, transfers(scale)...)
}

// named is a sweep of one learner, which is the one value of the axis learner.
func named(scale, name, learner, kind string, base sweep.Settings, over sweep.Axis) sweep.Spec {
	one := sweep.Axis{Name: "learner", Cases: []sweep.Case{{Name: learner, Set: sweep.Settings{}}}}
	return sweep.Spec{Name: name, Kind: kind, Base: base, Axes: []sweep.Axis{over, one},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 1, 3, 10))}
}

// tuning is the sweep of a scheduler that an optimiser tuned. Its budget is 60 points on 8 windows
// each, 480 simulations, and a sixth of that on large settings; the 20 480 steps of an agent that
// sets timers are about 107 windows of two days, and its validations as many again.
func tuning(scale string, t tuned, beside []string) sweep.Spec {
	base := sweep.Settings{
		"policy": t.policy, "optimiser": "tpe", "budget": sweep.At(scale, 12, 30, 60),
		"windows": sweep.At(scale, 2, 8, 8), "validation": sweep.At(scale, 2, 12, 16),
		"params": t.params, "env": timers, "evaluate": measured(scale, beside),
	}
	if t.whole {
		base["optimiser"], base["budget"], base["candidates"] = "grid", len(rivals.Places()), len(rivals.Places())
	}
	over := sweep.Axis{Name: "setting"}
	for _, s := range places(scale, t.few) {
		set := sweep.Settings{"env": timers + ":" + s.options + "," + common}
		if s.large && !t.whole {
			set["budget"], set["windows"] = 20, 4
		}
		over.Cases = append(over.Cases, sweep.Case{Name: s.name, Set: set})
	}
	spec := named(scale, "results-"+t.name, t.name, "tune", base, over)
	if t.whole {
		spec.Seeds = sweep.FirstSeeds(1) // a grid draws nothing
	}
	return spec
}

// learning is the sweep of an agent over all settings.
func learning(scale string, l learner) sweep.Spec {
	over := sweep.Axis{Name: "setting"}
	for _, s := range places(scale, l.few) {
		over.Cases = append(over.Cases, sweep.Case{Name: s.name, Set: l.on(scale, s)})
	}
	return named(scale, "results-"+l.name, l.name, "learn", l.base(scale), over)
}

// base is what training has in common on all settings.
func (l *learner) base(scale string) sweep.Settings {
	base := sweep.Settings{"agent": l.agent, "validate_every": 4, "validate_episodes": sweep.At(scale, 2, 12, 16),
		"env": l.env, "evaluate": measured(scale, rulers())}
	for k, v := range l.set {
		base[k] = v
	}
	if scale == sweep.Tiny {
		base["imitate_episodes"] = 2
	}
	return base
}

// on is what training on a setting has of its own.
func (l *learner) on(scale string, s setting) sweep.Settings {
	steps := l.stepsAt(s)
	return sweep.Settings{"env": l.env + ":" + l.optionsOn(s), "total_steps": sweep.At(scale, 1024, steps/2, steps)}
}

// optionsOn are the options of the environment on a setting.
func (l *learner) optionsOn(s setting) string {
	out, own := s.options+","+common, l.options
	if s.workload == "batch" && l.batchOptions != "" {
		own = l.batchOptions
	}
	if own != "" {
		out += "," + own
	}
	return out
}

// measured reports on how many windows of test, and beside whom.
func measured(scale string, beside []string) sweep.Settings {
	return sweep.Settings{"windows": sweep.At(scale, 3, 10, 30), "baselines": beside, "baselines_once": true,
		"trials": false}
}

// places are the settings of a scale, or few of them: all at full scale, else generated jobs on the
// small cluster, which need no file.
func places(scale string, few bool) []setting {
	all := settings()
	if scale == sweep.Full {
		return slices.DeleteFunc(all, func(s setting) bool { return few && (s.large || s.speed != "collective") })
	}
	plain := slices.DeleteFunc(all, func(s setting) bool {
		return s.large || s.speed == "contended" || !strings.HasPrefix(s.workload, "synth-")
	})
	return plain[:min(len(plain), sweep.At(scale, 1, 4, 4))]
}
