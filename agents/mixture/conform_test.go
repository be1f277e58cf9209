package mixture_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/mixture"
	"tarry/env"
)

const cartPole = "classic/CartPole-v1"

type run = agenttest.Run[mixture.Config, *mixture.Learner]

// short are runs of each sort, small enough to repeat: what is learnt does not matter.
func short() map[string]run {
	base := mixture.Default()
	base.Sequences, base.Rollouts, base.TotalSteps = 3, 2, 500
	linear := base
	linear.Features, linear.Normalise = true, false
	natural := linear
	natural.Gradient, natural.Normalise = mixture.Natural, true
	spsa := linear
	spsa.Gradient, spsa.Normalise = mixture.SPSA, true
	probes := natural
	probes.TotalSteps = 40
	return map[string]run{
		"discrete": {Config: base, Env: agenttest.Classic(cartPole)},
		"linear":   {Config: linear, Env: agenttest.Classic(cartPole)},
		"natural":  {Config: natural, Env: agenttest.Classic(cartPole)},
		"spsa":     {Config: spsa, Env: agenttest.Classic(cartPole)},
		"masked":   {Config: probes, Env: agenttest.Probe("probe/Masked-v0")},
		"waiting":  {Config: probes, Env: agenttest.Probe("probe/Waiting-v0")},
	}
}

func TestConformance(t *testing.T) {
	wide := mixture.Default()
	wide.TotalSteps, wide.Features, wide.Gradient = 2000, true, mixture.Natural
	agenttest.Suite[mixture.Config, *mixture.Policy, *mixture.Learner]{
		Name: "mixture", New: mixture.New, Resume: mixture.Resume, Load: mixture.LoadPolicy,
		Runs: short(), Plain: "discrete", Wide: run{Config: wide, Env: agenttest.Classic(cartPole)},
		Where: "sequence 1, rollout 0", Stateless: true,
		Refused: map[string]env.Space{
			"expected Discrete: an action names a member": env.NewBox(0, 1, 1),
			"expected Discrete":                           env.MultiDiscrete{N: []int{2, 2}},
			"expected Discrete, MultiDiscrete or Box":     env.MultiBinary{N: 2},
		},
	}.Test(t)
}
