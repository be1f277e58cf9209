package agentablation

import "tarry/experiments/sweep"

// environment is that of the setting synth-0.9 of the question results.
const environment = "tarry/Preempt-v0:cluster=ethernet:2x4x8,workload=poisson,speed=collective,windows=400,warm=12," +
	"horizon=48,load={load},checkpoint_s=5,restore_s=10"

// groups are what the environment can hide; rewards what it can pay by, beside jct.
func groups() []string {
	return []string{"work", "network", "demand", "history", "gain", "cost", "places", "queue", "cluster"}
}

func rewards() []string { return []string{"slowdown", "weighted", "makespan", "comm", "relative"} }

// byReward begins the names of variants that are paid by another reward than jct.
const byReward = "reward-"

// variants are the agents: each is the whole one but for one thing.
func variants(scale string) []sweep.Case {
	warm := func(name, more string) sweep.Case {
		return sweep.Case{Name: name, Set: sweep.Settings{"env": environment + more, "imitate": "srtf",
			"imitate_episodes": sweep.At(scale, 2, 12, 12)}}
	}
	out := []sweep.Case{warm("whole", "")}
	for _, g := range groups() {
		out = append(out, warm("hide-"+g, ",hide="+g))
	}
	out = append(out, sweep.Case{Name: "no-warm-start", Set: sweep.Settings{"env": environment}})
	for _, r := range rewards() {
		out = append(out, warm(byReward+r, ",reward="+r))
	}
	return out
}

func specs(scale string) []sweep.Spec {
	all := variants(scale)
	return []sweep.Spec{{
		Name: "agentablation", Question: Question().Ask, Kind: "learn",
		Base: sweep.Settings{
			"env": environment, "agent": "ppo", "steps": 64, "total_steps": sweep.At(scale, 512, 2048, 4096),
			"validate_every": 4, "validate_episodes": sweep.At(scale, 2, 12, 16),
			"evaluate": sweep.Settings{"windows": sweep.At(scale, 3, 10, 30), "baselines": []string{"dally"},
				"baselines_once": true, "trials": false},
		},
		Axes: []sweep.Axis{
			{Name: "load", Values: []string{"0.9"}},
			{Name: "variant", Cases: all[:sweep.At(scale, 2, len(all), len(all))]},
		},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 1, 3, 10)),
	}}
}
