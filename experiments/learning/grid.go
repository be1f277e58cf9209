package learning

import "tarry/experiments/sweep"

// environment is the demonstration's.
const environment = "tarry/DelayTimer-v0:cluster=ethernet:4x4x8,workload=demo,speed=collective,checkpoint_s=5," +
	"restore_s=10,windows=200,warm=12,horizon=48,load=0.9"

func specs(scale string) []sweep.Spec {
	return []sweep.Spec{{
		Name: "learning", Question: Question().Ask, Kind: "learn",
		Base: sweep.Settings{
			"env": environment, "agent": "ppo", "total_steps": sweep.At(scale, 2048, 30_000, 300_000), "steps": 64,
			"validate_every": sweep.At(scale, 1, 5, 20), "validate_episodes": sweep.At(scale, 2, 8, 16),
			"evaluate": sweep.Settings{"windows": sweep.At(scale, 2, 10, 30), "baselines": []string{"dally"}},
		},
		Axes: []sweep.Axis{{Name: "agent", Values: sweep.At(scale, []string{"ppo"}, []string{"ppo"},
			[]string{"ppo", "a2c"})}},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 2, 4, 10)),
	}}
}
