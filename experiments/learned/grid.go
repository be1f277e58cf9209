package learned

import "tarry/experiments/sweep"

// options are shared by all environments of the question.
const options = "cluster=ethernet:2x4x8,workload=demo,speed=collective,checkpoint_s=5,restore_s=10,windows=200," +
	"warm=12,horizon=48,load={load}"

func specs(scale string) []sweep.Spec {
	learner := func(name, env, agent string) sweep.Case {
		return sweep.Case{Name: name, Set: sweep.Settings{"env": env + ":" + options, "agent": agent}}
	}
	return []sweep.Spec{{
		Name: "learned", Question: Question().Ask, Kind: "learn",
		Base: sweep.Settings{
			"env": "tarry/DelayTimer-v0:" + options, "agent": "ppo",
			"total_steps": sweep.At(scale, 2048, 20_000, 300_000), "steps": 64,
			"validate_every": sweep.At(scale, 1, 5, 20), "validate_episodes": sweep.At(scale, 2, 8, 16),
			"evaluate": sweep.Settings{"windows": sweep.At(scale, 3, 12, 30),
				"baselines": []string{"dally", "dally-nowait", "dally-consolidated", "tiresias", "srtf"}},
		},
		Axes: []sweep.Axis{
			{Name: "load", Values: sweep.At(scale, []string{"0.9"}, []string{"0.7", "0.9"},
				[]string{"0.5", "0.7", "0.9", "1.1"})},
			{Name: "learner", Cases: []sweep.Case{
				learner("timers-ppo", "tarry/DelayTimer-v0", "ppo"),
				learner("preempt-ppo", "tarry/Preempt-v0", "ppo"),
			}},
		},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 1, 3, 10)),
	}}
}
