package policysearch_test

import (
	"math"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/policy"
	"tarry/agents/policysearch"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/delaytimer"
)

type run = agenttest.Run[policysearch.Config, *policysearch.Learner]

const cartPole = "classic/CartPole-v1"

// short are runs of each sort, small enough to repeat: what is learnt does not matter.
func short(t *testing.T) map[string]run {
	base := policysearch.Default()
	base.Generations, base.Population, base.Windows = 6, 4, 3
	norm := base
	norm.NormObs, norm.FreshWindows, norm.Cost, norm.Generations, norm.Windows = true, false, policysearch.Rank, 3, 2
	hidden := norm
	hidden.Hidden, hidden.Squash, hidden.Horizon = []int{4}, true, 50
	set, classes := base, base
	set.Hidden, set.Candidates = []int{4}, &policy.Candidates{Features: 1}
	classes.Hidden, classes.Encoder, classes.Candidates = []int{2}, "classes",
		&policy.Candidates{Global: 12, Features: 14, Each: 2}
	classes.Generations, classes.Population, classes.Cost = 2, 2, policysearch.Log
	params := base
	params.Cost = policysearch.Log
	const jobs = "cluster=2x2x4,windows=4,warm=4,horizon=12"
	return map[string]run{
		"discrete":   {Config: base, Env: agenttest.Classic(cartPole)},
		"normalised": {Config: norm, Env: agenttest.Classic("classic/MountainCar-v0")},
		"continuous": {Config: hidden, Env: agenttest.Classic("classic/Pendulum-v1")},
		"masked":     {Config: base, Env: agenttest.Probe("probe/Masked-v0")},
		"slots":      {Config: set, Env: agenttest.Probe("probe/Slots-v0")},
		"parameters": {Config: params, Env: toys(t)},
		"classes": {Config: classes, Env: func(int) (env.Env,
			error) {
			return delaytimer.Make(simulation.All(), jobs)
		}},
	}
}

func TestConformance(t *testing.T) {
	for _, k := range []policysearch.Kind{policysearch.CMAES, policysearch.OpenES, policysearch.Random} {
		wide := policysearch.Default()
		wide.Generations, wide.Hidden, wide.NormObs = 3, []int{16}, true
		runs := short(t)
		if k != policysearch.CMAES { // what they do not share
			runs = map[string]run{"discrete": runs["discrete"], "normalised": runs["normalised"],
				"parameters": runs["parameters"]}
		}
		t.Run(k.Name(), func(t *testing.T) {
			agenttest.Suite[policysearch.Config, *policysearch.Policy, *policysearch.Learner]{
				Name: k.Name(), New: k.New, Resume: k.Resume, Load: bound(t, k),
				Runs: runs, Plain: "discrete", Wide: run{Config: wide, Env: agenttest.Classic(cartPole)},
				Stateless: true,
				Refused: map[string]env.Space{
					"expected finite bounds":                  env.NewBox(0, math.Inf(1), 1),
					"expected Discrete, MultiDiscrete or Box": env.MultiBinary{N: 2},
				},
			}.Test(t)
		})
	}
}

// bound loads a policy and binds it to a toy, as a program does that has the environment.
func bound(t *testing.T, k policysearch.Kind) func([]byte, *env.Spec) (*policysearch.Policy, error) {
	return func(saved []byte, spec *env.Spec) (*policysearch.Policy, error) {
		p, err := k.LoadPolicy(saved, spec)
		if err == nil && p.Vector() != nil {
			e, _ := toys(t)(0)
			err = p.Bind(e)
		}
		return p, err
	}
}
