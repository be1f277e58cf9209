package results

import (
	"fmt"

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

// learner is a way to timers or to victims.
type learner struct {
	name, env, agent string
	// steps at full scale, and what else is set.
	steps int
	set   sweep.Settings
}

func learners() []learner {
	return []learner{
		{"timers-ppo", "tarry/DelayTimer-v0", "ppo", 20_480, sweep.Settings{"steps": 64, "imitate": "dally", "imitate_episodes": 8}},
		{"preempt-ppo", "tarry/Preempt-v0", "ppo", 8_192, sweep.Settings{"steps": 64, "imitate": "srtf", "imitate_episodes": 12}},
		{"timers-sac", "tarry/DelayTimer-v0", "sac", 4_096, sweep.Settings{"learning_starts": 512}},
		{"preempt-dqn", "tarry/Preempt-v0", "dqn", 6_144, sweep.Settings{"learning_starts": 512}},
	}
}

// baselines stand beside every learner.
func baselines() []string {
	return []string{"dally", "dally-manual", "dally-nowait", "dally-consolidated", "dally:history=48,min_rack=0,min_net=0", "tiresias", "srtf"}
}

// pairs are the fixed timers of the bound.
func pairs() []string {
	var out []string
	waits := []string{"0", "1", "6", "24", "inf"}
	for _, rack := range waits {
		for _, net := range waits {
			out = append(out, fmt.Sprintf("dally-manual:t_rack=%s,t_net=%s", rack, net))
		}
	}
	return out
}

// specs gives a sweep per learner, and one of timers that an optimiser chose. Its budget is 480 windows; the 20 480 steps of an agent that
// sets timers are about 107 of them, and its validations as many again.
func specs(scale string) []sweep.Spec {
	windows := sweep.At(scale, 3, 10, 30)
	out := []sweep.Spec{tuned(scale, windows)}
	for _, l := range learners() {
		base := sweep.Settings{
			"agent": l.agent, "validate_every": 4, "validate_episodes": sweep.At(scale, 2, 12, 16), "env": l.env,
			"total_steps": sweep.At(scale, 1024, l.steps/2, l.steps),
			"evaluate":    sweep.Settings{"windows": windows, "baselines": baselines(), "baselines_once": true},
		}
		for k, v := range l.set {
			base[k] = v
		}
		out = append(out, sweep.Spec{Name: "results-" + l.name, Question: Question().Ask, Kind: "learn", Base: base,
			Axes:  []sweep.Axis{places(scale, l.env, l.steps), {Name: "learner", Cases: []sweep.Case{{Name: l.name, Set: sweep.Settings{"agent": l.agent}}}}},
			Seeds: sweep.FirstSeeds(sweep.At(scale, 1, 3, 10))})
	}
	return out
}

// tuned is the sweep of timers that an optimiser chose.
func tuned(scale string, windows int) sweep.Spec {
	base := sweep.Settings{
		"policy": "dally-manual", "optimiser": "tpe", "budget": sweep.At(scale, 12, 240, 480), "windows": sweep.At(scale, 2, 8, 8), "validation": sweep.At(scale, 2, 12, 16),
		"params": sweep.Settings{"t_rack": "0.05:50:log", "t_net": "0.05:100:log"}, "env": "tarry/DelayTimer-v0",
		"evaluate": sweep.Settings{"windows": windows, "baselines": append(baselines(), pairs()...), "baselines_once": true},
	}
	return sweep.Spec{Name: "results-timers-tuned", Question: Question().Ask, Kind: "tune", Base: base,
		Axes:  []sweep.Axis{places(scale, "tarry/DelayTimer-v0", 0), {Name: "learner", Cases: []sweep.Case{{Name: "timers-tuned", Set: sweep.Settings{"policy": "dally-manual"}}}}},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 1, 3, 10))}
}

// places is the axis of settings for an environment.
func places(scale, env string, steps int) sweep.Axis {
	a := sweep.Axis{Name: "setting"}
	all := settings()
	for _, s := range all[:sweep.At(scale, 1, 4, len(all))] {
		c := sweep.Case{Name: s.name, Set: sweep.Settings{"env": env + ":" + s.options + "," + common}}
		if s.large && steps > 0 {
			c.Set["total_steps"] = steps / 4
		}
		a.Cases = append(a.Cases, c)
	}
	return a
}
