package sac_test

import (
	"math"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/sac"
	"tarry/env"
)

type run = agenttest.Run[sac.Config, *sac.Learner]

// short are runs of each sort, small enough to repeat: what is learnt does not matter. The buffer
// is smaller than the run, so that the ring goes round.
func short() map[string]run {
	base := sac.Default()
	base.Envs, base.Steps, base.TotalSteps, base.Buffer, base.LearningStarts = 3, 20, 8*60, 200, 70
	base.TrainEvery, base.Batch, base.Hidden = 7, 8, []int{8}
	rich := base
	rich.NormReward, rich.NSteps, rich.AutoAlpha, rich.Alpha, rich.MaxGradNorm, rich.GradientSteps = true, 3, false,
		0.2, 1, 2
	return map[string]run{
		"plain":  {Config: base, Env: agenttest.Classic(pendulum)},
		"rich":   {Config: rich, Env: agenttest.Classic(pendulum)},
		"target": {Config: rich, Env: agenttest.Probe("probe/Target-v0")},
	}
}

// Each run is trained once more after demonstrations.
func TestConformance(t *testing.T) {
	runs := short()
	for name, r := range short() {
		runs[name+" after demonstrations"] = run{Config: withDemos(r.Config), Env: r.Env, Begin: imitated}
	}
	wide := short()["plain"]
	wide.Config.Hidden, wide.Config.Batch = []int{64, 64}, 64
	agenttest.Suite[sac.Config, *sac.Policy, *sac.Learner]{
		Name: "sac", New: sac.New, Resume: sac.Resume, Load: sac.LoadPolicy,
		Runs: runs, Plain: "plain", Wide: wide,
		Refused: map[string]env.Space{
			"expected Box":           env.MultiDiscrete{N: []int{2, 2}},
			"expected finite bounds": env.NewBox(0, math.Inf(1), 1),
		},
	}.Test(t)
}
