package reinforce_test

import (
	"math"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/policy"
	"tarry/agents/reinforce"
	"tarry/env"
)

type run = agenttest.Run[reinforce.Config, *reinforce.Learner]

// short are runs of each sort, small enough to repeat: what is learnt does not matter.
func short() map[string]run {
	base := reinforce.Default()
	base.Sequences, base.Rollouts, base.Hidden, base.TotalSteps = 3, 2, []int{8}, 500
	base.EntropyCoef, base.LeaveOneOut = 0.01, true
	norm := base
	norm.NormObs, norm.Anneal, norm.TotalSteps, norm.Horizon = true, true, 3000, 77
	squash := norm
	squash.Squash, squash.Baseline = true, reinforce.Time
	set := base
	set.Candidates, set.TotalSteps = &policy.Candidates{Features: 1}, 30
	rms := base
	rms.Optimizer, rms.Activation, rms.AdamEps = "rmsprop", "relu", 1e-9
	probes := base
	probes.TotalSteps = 40
	return map[string]run{
		"started":    {Config: base, Env: agenttest.Classic(cartPole), Begin: agenttest.Started[*reinforce.Learner]},
		"discrete":   {Config: base, Env: agenttest.Classic(cartPole)},
		"normalised": {Config: norm, Env: agenttest.Classic("classic/MountainCar-v0")},
		"continuous": {Config: squash, Env: agenttest.Classic("classic/Pendulum-v1")},
		"rmsprop":    {Config: rms, Env: agenttest.Classic(cartPole)},
		"masked":     {Config: probes, Env: agenttest.Probe("probe/Masked-v0")},
		"pair":       {Config: probes, Env: agenttest.Probe("probe/Pair-v0")},
		"waiting":    {Config: probes, Env: agenttest.Probe("probe/Waiting-v0")},
		"slots":      {Config: set, Env: agenttest.Probe("probe/Slots-v0")},
	}
}

// Updates play complete episodes and name their random streams by number: environments have no
// state in between.
func TestConformance(t *testing.T) {
	wide := reinforce.Default()
	wide.TotalSteps, wide.NormObs = 2000, true
	agenttest.Suite[reinforce.Config, *policy.Policy, *reinforce.Learner]{
		Name: "reinforce", New: reinforce.New, Resume: reinforce.Resume, Load: reinforce.LoadPolicy,
		Runs: short(), Plain: "discrete", Wide: run{Config: wide, Env: agenttest.Classic(cartPole)},
		Where: "sequence 1, rollout 0", Stateless: true,
		Refused: map[string]env.Space{
			"expected finite bounds":                  env.NewBox(0, math.Inf(1), 1),
			"expected Discrete, MultiDiscrete or Box": env.MultiBinary{N: 2},
		},
	}.Test(t)
}
