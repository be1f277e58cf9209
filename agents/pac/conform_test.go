package pac_test

import (
	"math"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/pac"
	"tarry/agents/policy"
	"tarry/env"
	"tarry/env/probe"
)

const cartPole = "classic/CartPole-v1"

type run = agenttest.Run[pac.Config, *pac.Learner]

// short are runs of each sort, small enough to repeat: what is learnt does not matter.
func short() map[string]run {
	base := pac.Default()
	base.Envs, base.Steps, base.Hidden, base.Buffer, base.LearningStarts, base.Batch = 3, 10, []int{8}, 60, 40, 8
	base.TotalSteps = 6 * 30
	back := base
	back.Returns, back.NormObs, back.Anneal, back.Activation = pac.Bootstrapped, true, true, "tanh"
	squash := back
	squash.Squash, squash.MaxGradNorm = true, 0.5
	mean := base
	mean.Baseline, mean.EntropyCoef = pac.ByMean, 0
	set := base
	set.Candidates = &policy.Candidates{Features: 1}
	return map[string]run{
		"discrete":     {Config: base, Env: agenttest.Classic(cartPole)},
		"bootstrapped": {Config: back, Env: agenttest.Classic("classic/MountainCar-v0")},
		"continuous":   {Config: squash, Env: agenttest.Classic("classic/Pendulum-v1")},
		"masked":       {Config: mean, Env: agenttest.Probe("probe/Masked-v0")},
		"pair":         {Config: base, Env: agenttest.Probe("probe/Pair-v0")},
		"slots":        {Config: set, Env: agenttest.Probe("probe/Slots-v0")},
		"rare":         {Config: base, Env: func(int) (env.Env, error) { return probe.Rare().New(), nil }},
		"started":      {Config: base, Env: agenttest.Classic(cartPole), Begin: agenttest.Started[*pac.Learner]},
	}
}

func TestConformance(t *testing.T) {
	wide := pac.Default()
	wide.TotalSteps, wide.Steps, wide.LearningStarts, wide.Buffer = 600, 300, 300, 600
	agenttest.Suite[pac.Config, *policy.Policy, *pac.Learner]{
		Name: "pac", New: pac.New, Resume: pac.Resume, Load: pac.LoadPolicy, Value: (*policy.Policy).Value,
		Runs: short(), Plain: "discrete", Wide: run{Config: wide, Env: agenttest.Classic(cartPole)},
		Refused: map[string]env.Space{
			"expected finite bounds":                  env.NewBox(0, math.Inf(1), 1),
			"expected Discrete, MultiDiscrete or Box": env.MultiBinary{N: 2},
		},
	}.Test(t)
}
