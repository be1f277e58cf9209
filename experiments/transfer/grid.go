package transfer

import "tarry/experiments/sweep"

// options are shared; what {trained} and {tested} stand for is said by the cases.
const options = "speed=collective,checkpoint_s=5,restore_s=10,windows=200,warm=12,horizon=48"

func specs(scale string) []sweep.Spec {
	trained := func(name, set string) sweep.Case {
		return sweep.Case{Name: name, Set: sweep.Settings{"env": "tarry/DelayTimer-v0:" + options + "," + set}}
	}
	tested := func(name string, set ...string) sweep.Case {
		return sweep.Case{Name: name, Set: sweep.Settings{"evaluate": sweep.Settings{"windows": sweep.At(scale, 3, 12,
			30), "baselines": []string{"dally"}, "set": set}}}
	}
	return []sweep.Spec{{
		Name: "transfer", Question: Question().Ask, Kind: "learn",
		Base: sweep.Settings{
			"agent": "ppo", "total_steps": sweep.At(scale, 2048, 20_000, 300_000), "steps": 64,
			"validate_every": sweep.At(scale, 1, 5, 20), "validate_episodes": sweep.At(scale, 2, 8, 16),
		},
		Axes: []sweep.Axis{
			{Name: "trained", Cases: []sweep.Case{
				trained("load-0.7", "cluster=ethernet:2x4x8,workload=demo,load=0.7"),
				trained("load-0.9", "cluster=ethernet:2x4x8,workload=demo,load=0.9"),
				trained("philly", "cluster=ethernet:2x4x8,workload=philly,load=0.9"),
			}[sweep.At(scale, 1, 0, 0):]},
			{Name: "tested", Cases: []sweep.Case{
				tested("load-0.9", "cluster=ethernet:2x4x8", "workload=demo", "load=0.9", "data_seed=7"),
				tested("philly", "cluster=ethernet:2x4x8", "workload=philly", "load=0.9", "data_seed=7"),
				tested("512-gpus", "cluster=ethernet:16x4x8", "workload=demo", "load=0.9", "data_seed=7"),
			}[:sweep.At(scale, 1, 3, 3)]},
		},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 1, 2, 10)),
	}}
}
