package regimes

import (
	"strings"

	"tarry/experiments/sweep"
	"tarry/run/bounds"
)

// names are the regimes, in the order in which windows take turns; each is a file of
// examples/regimes.
func names() []string {
	return []string{"slow-steady", "slow-drift", "slow-bursty", "shared-drift", "ethernet-bursty", "ethernet-light",
		"fast-light", "fast-steady", "fast-full", "fast-bursty"}
}

// The environment: the agent sees in which regime it is, and sets timers once in a lease.
const timers = "tarry/DelayTimer-v1:regime=true,every=1,"

// alone is the one regime of the smallest scale, which needs no file.
const (
	alone   = "cluster=ethernet:2x4x8,load=1.1,windows=20,warm=0,horizon=24"
	aloneOn = "horizon=36"
)

// mixture is the option that names the files, from the repository's root.
func mixture() string {
	var files []string
	for _, n := range names() {
		files = append(files, "examples/regimes/"+n+".yaml")
	}
	return "mixture=" + strings.Join(files, "+")
}

// Training has windows of two days, which cost half as much as windows of three on which agents are
// measured.
const (
	shorter  = "horizon=48"
	measured = "horizon=72"
)

// specs gives the sweep of the search, and of PPO from the best that a search found.
func specs(scale string) []sweep.Spec {
	env, on, teacher := timers+mixture()+","+shorter, []string{measured}, "weights:examples/weights/timers.txt"
	if scale == sweep.Tiny {
		env, on, teacher = timers+alone, []string{aloneOn}, dally
	}
	beside := func(policies ...string) sweep.Settings {
		return sweep.Settings{"windows": sweep.At(scale, 3, 60, 100), "baselines": policies, "baselines_once": true,
			"trials": false, "set": on}
	}
	return []sweep.Spec{{
		Name: "regimes", Kind: "learn",
		Base: sweep.Settings{"env": env},
		Axes: []sweep.Axis{{Name: "learner", Cases: []sweep.Case{
			{Name: search, Set: sweep.Settings{"agent": "cmaes-policy", "validate_start": true,
				"validate_every":    sweep.At(scale, 1, 3, 6),
				"validate_episodes": sweep.At(scale, 2, 40, 60), "generations": sweep.At(scale, 2, 12, 48),
				"population": sweep.At(scale, 4, 12, 16),
				"windows":    sweep.At(scale, 2, 10, 20), "evaluate": beside(append([]string{dally},
					bounds.Timers()...)...)}},
			{Name: ppo, Set: sweep.Settings{"agent": "ppo", "imitate": teacher,
				"imitate_episodes": sweep.At(scale, 2, 40, 100), "imitate_epochs": sweep.At(scale, 2, 20, 20),
				"total_steps": sweep.At(scale, 512, 16_384, 131_072), "steps": sweep.At(scale, 64, 256, 256),
				"gamma": 1, "lambda": 0.95,
				"validate_every": sweep.At(scale, 2, 8, 8), "validate_episodes": sweep.At(scale, 2, 20, 40),
				"evaluate": beside(dally)}},
		}}},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 1, 3, 5)),
	}}
}

// The reference of all comparisons, and what the agents are called.
const (
	dally  = "dally"
	search = "search"
	ppo    = "ppo"
)
