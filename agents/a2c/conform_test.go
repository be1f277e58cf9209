package a2c_test

import (
	"math"
	"testing"

	"tarry/agents/a2c"
	"tarry/agents/agenttest"
	"tarry/agents/policy"
	"tarry/env"
)

type run = agenttest.Run[a2c.Config, *a2c.Learner]

// short are runs of each sort, small enough to repeat: what is learnt does not matter.
func short() map[string]run {
	base := a2c.Default()
	base.Envs, base.Steps, base.Rollouts, base.Hidden = 3, 5, 4, []int{8}
	base.TotalSteps = 6 * 60
	norm := base
	norm.NormObs, norm.NormReward, norm.Anneal, norm.Optimizer = true, true, true, "rmsprop_tf"
	squash := norm
	squash.Squash, squash.Optimizer, squash.EntropyCoef, squash.NormAdvantage = true, "adam", 0.01, true
	set := base
	set.Candidates = &policy.Candidates{Features: 1}
	return map[string]run{
		"started":    {Config: base, Env: agenttest.Classic(cartPole), Begin: agenttest.Started[*a2c.Learner]},
		"discrete":   {Config: base, Env: agenttest.Classic(cartPole)},
		"normalised": {Config: norm, Env: agenttest.Classic("classic/MountainCar-v0")},
		"continuous": {Config: squash, Env: agenttest.Classic("classic/Pendulum-v1")},
		"masked":     {Config: base, Env: agenttest.Probe("probe/Masked-v0")},
		"pair":       {Config: base, Env: agenttest.Probe("probe/Pair-v0")},
		"waiting":    {Config: base, Env: agenttest.Probe("probe/Waiting-v0")},
		"slots":      {Config: set, Env: agenttest.Probe("probe/Slots-v0")},
	}
}

func TestConformance(t *testing.T) {
	wide := a2c.Default()
	wide.TotalSteps = 2000
	agenttest.Suite[a2c.Config, *policy.Policy, *a2c.Learner]{
		Name: "a2c", New: a2c.New, Resume: a2c.Resume, Load: a2c.LoadPolicy, Value: (*policy.Policy).Value,
		Runs: short(), Plain: "discrete", Wide: run{Config: wide, Env: agenttest.Classic(cartPole)},
		Refused: map[string]env.Space{
			"expected finite bounds":                  env.NewBox(0, math.Inf(1), 1),
			"expected Discrete, MultiDiscrete or Box": env.MultiBinary{N: 2},
		},
	}.Test(t)
}

// The number of rollouts per update does not change the weights.
func TestRolloutsOfAnUpdate(t *testing.T) {
	values := map[float64]bool{}
	for _, rollouts := range []int{1, 5, 50} {
		c := a2c.Default()
		c.TotalSteps, c.Rollouts, c.Anneal = 2000, rollouts, true
		l, _ := train(t, c, 1, agenttest.Classic(cartPole))
		values[l.Policy().Value(make([]float64, 4), nil)] = true
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(values) != 1 {
		t.Errorf("other numbers of rollouts in an update gave other weights: %v", values)
	}
}
