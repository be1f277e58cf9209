package dqn_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/dqn"
	"tarry/env"
)

type run = agenttest.Run[dqn.Config, *dqn.Learner]

// short are runs of each sort, small enough to repeat: what is learnt does not matter. The buffer
// is smaller than the run, so that the ring goes round.
func short() map[string]run {
	base := dqn.Default()
	base.Envs, base.Steps, base.TotalSteps, base.Buffer, base.LearningStarts = 3, 20, 8*60, 200, 70
	base.TrainEvery, base.Batch, base.TargetEvery, base.Hidden = 7, 8, 50, []int{8}
	rich := base
	rich.Duel, rich.Huber, rich.NormReward, rich.NSteps, rich.Tau, rich.MaxGradNorm = true, true, true, 3, 0.3, 1
	set := rich
	set.Candidates = &dqn.Candidates{Features: 1}
	return map[string]run{
		"discrete": {Config: base, Env: agenttest.Classic(cartPole)},
		"rich":     {Config: rich, Env: agenttest.Classic("classic/MountainCar-v0")},
		"masked":   {Config: rich, Env: agenttest.Probe("probe/Masked-v0")},
		"waiting":  {Config: rich, Env: agenttest.Probe("probe/Waiting-v0")},
		"endless":  {Config: rich, Env: agenttest.Probe("probe/Endless-v0")},
		"slots":    {Config: set, Env: agenttest.Probe("probe/Slots-v0")},
	}
}

// Each run is trained once more after demonstrations.
func TestConformance(t *testing.T) {
	runs := short()
	for name, r := range short() {
		runs[name+" after demonstrations"] = run{Config: withDemos(r.Config), Env: r.Env, Begin: imitated}
	}
	wide := short()["discrete"]
	wide.Config.Hidden, wide.Config.Batch = []int{64, 64}, 128
	agenttest.Suite[dqn.Config, *dqn.Policy, *dqn.Learner]{
		Name: "dqn", New: dqn.New, Resume: dqn.Resume, Load: dqn.LoadPolicy, Value: (*dqn.Policy).Value,
		Runs: runs, Plain: "discrete", Wide: wide,
		Refused: map[string]env.Space{"expected Discrete": env.MultiDiscrete{N: []int{2, 2}}},
	}.Test(t)
}
