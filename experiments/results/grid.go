package results

import (
	"slices"
	"strings"

	"tarry/internal/sweep"
)

// setting is a workload on a cluster: what agents are trained and measured on.
type setting struct {
	name, options string
	// large says that a window costs much more than on 64 GPUs: agents are trained for fewer steps.
	large bool
}

// common are the options of all environments: what preemption costs.
const common = "checkpoint_s=5,restore_s=10"

// Philly: 40 000 of its jobs, drawn once, for 64 GPUs and all 82 247 for 128 (make results-data). Over months that is three times what these GPUs
// can do. A window has seven hours and begins on an empty cluster: with the load of months nothing ever waits in it.
const (
	philly64  = "csv:build/results/philly-64.csv"
	philly128 = "csv:build/results/philly-128.csv"
	batchList = "artistsim:../shared/traces/artist-sim/sense_500jobs_0start0arrival-withBert.json"
)

func settings() []setting {
	small, large := "cluster=ethernet:2x4x8,", "cluster=ethernet:16x4x8,"
	synth := func(load string) string {
		return "workload=poisson,speed=collective,windows=400,warm=12,horizon=48,load=" + load
	}
	return []setting{
		{"synth-0.9", small + synth("0.9"), false},
		{"synth-0.5", small + synth("0.5"), false},
		{"synth-0.7", small + synth("0.7"), false},
		{"synth-1.1", small + synth("1.1"), false},
		{"contended-0.9", `cluster=2x4x8,workload=poisson,speed="contended:rack=0.9,network=0.9",windows=400,warm=12,horizon=48,load=0.9`, false},
		{"batch-list", small + "trace=" + batchList + ",batch_jobs=40,horizon=0,warm=0,speed=collective", false},
		{"philly-64", small + "trace=" + philly64 + ",gap=12,warm=2,horizon=4,speed=collective", false},
		{"synth-0.9-512", large + "workload=poisson,speed=collective,windows=400,warm=4,horizon=12,load=0.9", true},
		{"philly-128", "cluster=ethernet:4x4x8,trace=" + philly128 + ",gap=12,warm=2,horizon=4,speed=collective", true},
	}
}

// specs gives a sweep per learner, one per scheduler that an optimiser tuned, and those of agents on settings that they were not
// trained on. The budget of tuning is 480 windows; the 20 480 steps of an agent that sets timers are about 107 of them, and its
// validations as many again.
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
	return sweep.Spec{Name: name, Question: Question().Ask, Kind: kind, Base: base, Axes: []sweep.Axis{over, one}, Seeds: sweep.FirstSeeds(sweep.At(scale, 1, 3, 10))}
}

// tuning is the sweep of a scheduler that an optimiser tuned.
func tuning(scale string, t tuned, beside []string) sweep.Spec {
	base := sweep.Settings{
		"policy": t.policy, "optimiser": "tpe", "budget": sweep.At(scale, 12, 240, 480), "windows": sweep.At(scale, 2, 8, 8), "validation": sweep.At(scale, 2, 12, 16),
		"params": t.params, "env": timers, "evaluate": measured(scale, beside),
	}
	over := sweep.Axis{Name: "setting"}
	for _, s := range places(scale) {
		over.Cases = append(over.Cases, sweep.Case{Name: s.name, Set: sweep.Settings{"env": timers + ":" + s.options + "," + common}})
	}
	return named(scale, "results-"+t.name, t.name, "tune", base, over)
}

// learning is the sweep of an agent over all settings.
func learning(scale string, l learner) sweep.Spec {
	over := sweep.Axis{Name: "setting"}
	for _, s := range places(scale) {
		over.Cases = append(over.Cases, sweep.Case{Name: s.name, Set: l.on(scale, s)})
	}
	return named(scale, "results-"+l.name, l.name, "learn", l.base(scale), over)
}

// base is what training has in common on all settings.
func (l *learner) base(scale string) sweep.Settings {
	base := sweep.Settings{"agent": l.agent, "validate_every": 4, "validate_episodes": sweep.At(scale, 2, 12, 16), "env": l.env, "evaluate": measured(scale, rulers())}
	for k, v := range l.set {
		base[k] = v
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
	out := s.options + "," + common
	if l.options != "" {
		out += "," + l.options
	}
	return out
}

// measured says on how many windows of test, and beside whom.
func measured(scale string, beside []string) sweep.Settings {
	return sweep.Settings{"windows": sweep.At(scale, 3, 10, 30), "baselines": beside, "baselines_once": true}
}

// places are the settings of a scale: all at full scale, else generated jobs on the small cluster, which need no file.
func places(scale string) []setting {
	all := settings()
	if scale == sweep.Full {
		return all
	}
	plain := slices.DeleteFunc(all, func(s setting) bool {
		return s.large || strings.Contains(s.options, "trace=") || strings.Contains(s.options, "contended")
	})
	return plain[:min(len(plain), sweep.At(scale, 1, 4, 4))]
}
