package regimes

import (
	"strings"

	"tarry/experiments/sweep"
	"tarry/internal/run/bounds"
)

// names are the regimes, in the order in which windows take turns; each is a file of examples/regimes.
func names() []string {
	return []string{"slow-steady", "slow-drift", "slow-bursty", "shared-drift", "ethernet-bursty", "ethernet-light", "fast-light", "fast-steady", "fast-full", "fast-bursty"}
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

// Training has windows of two days, which cost half as much as those of three on which agents are measured.
const (
	shorter  = "horizon=48"
	measured = "horizon=72"
)

// specs gives the sweep of the search.
func specs(scale string) []sweep.Spec {
	env, on := timers+mixture()+","+shorter, []string{measured}
	if scale == sweep.Tiny {
		env, on = timers+alone, []string{aloneOn}
	}
	return []sweep.Spec{{
		Name: "regimes", Question: Question().Ask, Kind: "learn",
		Base: sweep.Settings{"env": env, "agent": "cmaes-policy", "validate_start": true, "validate_every": sweep.At(scale, 1, 3, 3),
			"validate_episodes": sweep.At(scale, 2, 40, 60), "generations": sweep.At(scale, 2, 12, 24), "population": sweep.At(scale, 4, 12, 16),
			"windows": sweep.At(scale, 2, 10, 10),
			"evaluate": sweep.Settings{"windows": sweep.At(scale, 3, 60, 100), "baselines": append([]string{dally}, bounds.Timers()...), "baselines_once": true,
				"trials": false, "set": on}},
		Axes:  []sweep.Axis{{Name: "learner", Cases: []sweep.Case{{Name: search, Set: sweep.Settings{}}}}},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 1, 3, 5)),
	}}
}

// The reference of all comparisons, and what the agent is called.
const (
	dally  = "dally"
	search = "search"
)
