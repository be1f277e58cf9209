package ppo_test

import (
	"math"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/ppo"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/delaytimer"
	"tarry/env/order"
)

type run = agenttest.Run[ppo.Config, *ppo.Learner]

// short are runs of each sort, small enough to repeat: what is learnt does not matter.
func short() map[string]run {
	base := ppo.Default()
	base.Envs, base.Steps, base.Epochs, base.Minibatches, base.Hidden = 3, 20, 2, 4, []int{8}
	base.TotalSteps = 8 * 60
	norm := base
	norm.NormObs, norm.NormReward, norm.Anneal, norm.AnnealClip = true, true, false, true
	squash := norm
	squash.Squash, squash.TargetKL = true, 1e-4
	average := norm
	average.AverageReward, average.AverageWeight, average.NormObs = true, 0.2, false
	set, classes := base, base
	set.Candidates = &ppo.Candidates{Features: 1}
	classes.Encoder, classes.Candidates = "classes", &ppo.Candidates{Global: 12, Features: 14, Each: 2}
	asked := classes
	asked.Candidates = &ppo.Candidates{Global: 12, Features: 14, Each: 21}
	const jobs = "cluster=2x2x4,windows=4,warm=4,horizon=12"
	ranked := base
	ranked.Encoder, ranked.Candidates = "ranking", &ppo.Candidates{Global: 13, Features: 12, Each: 1}
	steady := ranked
	steady.Noise, steady.Places, steady.Temperature, steady.Baseline, steady.ValuesFirst = ppo.EachEpisode, 3, 0.5,
		ppo.ByNothing, 2
	steady.Start = make([]float64, 19)
	steady.Start[0], steady.Start[2] = 1, -0.3
	peers := steady
	peers.Envs, peers.Rollouts, peers.TotalSteps, peers.Baseline, peers.NormReward = 4, 2, 8*80, ppo.ByCritic, true
	return map[string]run{
		"started":    {Config: base, Env: agenttest.Classic(cartPole), Begin: agenttest.Started[*ppo.Learner]},
		"discrete":   {Config: base, Env: agenttest.Classic(cartPole)},
		"normalised": {Config: norm, Env: agenttest.Classic("classic/MountainCar-v0")},
		"continuous": {Config: squash, Env: agenttest.Classic("classic/Pendulum-v1")},
		"masked":     {Config: base, Env: agenttest.Probe("probe/Masked-v0")},
		"pair":       {Config: base, Env: agenttest.Probe("probe/Pair-v0")},
		"waiting":    {Config: base, Env: agenttest.Probe("probe/Waiting-v0")},
		"average":    {Config: average, Env: agenttest.Probe("probe/Paced-v0")},
		"slots":      {Config: set, Env: agenttest.Probe("probe/Slots-v0")},
		"classes": {Config: classes, Env: func(int) (env.Env,
			error) {
			return delaytimer.Make(simulation.All(), jobs)
		}},
		"ranking": {Config: ranked, Env: ranking},
		"steady":  {Config: steady, Env: ranking},
		"peers":   {Config: peers, Env: ranking},
		"class asked": {Config: asked, Env: func(int) (env.Env,
			error) {
			return delaytimer.MakeDiscrete(simulation.All(), jobs)
		}},
	}
}

// ranking makes environments whose actions put a list in order.
func ranking(int) (env.Env, error) {
	return order.Make(simulation.All(), "cluster=2x2x4,windows=4,warm=4,horizon=12,load=1.2,globals=false,jobs=8,"+
		"reward=relative")
}

// loaded is a frozen policy, bound where it is for orders.
func loaded(saved []byte, spec *env.Spec) (*ppo.Policy, error) {
	p, err := ppo.LoadPolicy(saved, spec)
	if err == nil && spec.ID == order.ID {
		var e env.Env
		if e, err = ranking(0); err == nil {
			err = p.Bind(e)
		}
	}
	return p, err
}

func TestConformance(t *testing.T) {
	wide := ppo.Default()
	wide.TotalSteps = 4 * 512
	agenttest.Suite[ppo.Config, *ppo.Policy, *ppo.Learner]{
		Name: "ppo", New: ppo.New, Resume: ppo.Resume, Load: loaded, Value: (*ppo.Policy).Value,
		Runs: short(), Plain: "discrete", Wide: run{Config: wide, Env: agenttest.Classic(cartPole)},
		Refused: map[string]env.Space{
			"expected finite bounds":                  env.NewBox(0, math.Inf(1), 1),
			"expected Discrete, MultiDiscrete or Box": env.MultiBinary{N: 2},
		},
	}.Test(t)
}
