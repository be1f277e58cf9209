package a2c

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/learn"
	"tarry/agents/policy"
	"tarry/agents/ppo"
	"tarry/env"
	"tarry/env/classic"
)

type kind struct {
	cfg  Config
	spec env.Spec
}

// kinds are the sorts of policies, with a configuration small enough for differences.
func kinds() map[string]kind {
	small := Default()
	small.Hidden, small.Envs, small.Steps, small.EntropyCoef = []int{5}, 2, 3, 0.03
	squash, loose, set := small, small, small
	squash.Squash = true
	loose.NormAdvantage, loose.EntropyCoef = true, 0
	set.Candidates = &policy.Candidates{Global: 1, Features: 2, Extra: 1}
	relu, reluSet := small, set
	relu.Activation, reluSet.Activation = "relu", "relu"
	privileged, listed := small, set
	privileged.CriticOnly, listed.CriticOnly = 2, 1
	obs := env.NewBox(-1, 1, 3)
	return map[string]kind{
		"discrete":   {small, env.Spec{ID: "t/A-v0", Observation: obs, Action: env.Discrete{N: 4, Start: 2}}},
		"loose":      {loose, env.Spec{ID: "t/A-v0", Observation: obs, Action: env.Discrete{N: 4}}},
		"privileged": {privileged, env.Spec{ID: "t/A-v0", Observation: obs, Action: env.Discrete{N: 4}}},
		"privileged set": {listed, env.Spec{ID: "t/G-v0", Observation: env.NewBox(-1, 1, 7), Action: env.Discrete{N: 4},
			Masked: true}},
		"relu": {relu, env.Spec{ID: "t/B-v0", Observation: obs, Action: env.Discrete{N: 4}, Masked: true}},
		"relu set": {reluSet, env.Spec{ID: "t/G-v0", Observation: env.NewBox(-1, 1, 7), Action: env.Discrete{N: 4},
			Masked: true}},
		"masked": {small, env.Spec{ID: "t/B-v0", Observation: obs, Action: env.Discrete{N: 4}, Masked: true}},
		"masked multi": {small, env.Spec{ID: "t/D-v0", Observation: obs, Action: env.MultiDiscrete{N: []int{3, 2, 2}},
			Masked: true}},
		"continuous": {small, env.Spec{ID: "t/E-v0", Observation: obs, Action: env.NewBox(-2, 4, 2)}},
		"squashed":   {squash, env.Spec{ID: "t/F-v0", Observation: obs, Action: env.NewBox(0, 1, 2)}},
		"candidates": {set, env.Spec{ID: "t/G-v0", Observation: env.NewBox(-1, 1, 7), Action: env.Discrete{N: 4},
			Masked: true}},
	}
}

// fakeRollout is a rollout of random numbers with legal actions.
func fakeRollout(p *policy.Policy, cfg *Config, r *rand.Rand) *learn.Rollout {
	ro := newRollout(&p.Layout, cfg)
	for row := range ro.Rows() {
		for i := range ro.ObsOf(row) {
			ro.ObsOf(row)[i] = r.NormFloat64()
		}
	}
	for row := range ro.Rows() {
		mask := ro.MaskOf(row)
		agenttest.Mask(mask, p.Sizes, r)
		p.Choose(ro.RawOf(row), ro.ObsOf(row), mask, r)
		ro.Advantages[row], ro.Returns[row] = r.NormFloat64(), r.NormFloat64()
	}
	return ro
}

// plainLoss is the loss by the hand-written pass, straight from the paper.
func plainLoss(p *policy.Policy, cfg *Config, r *learn.Rollout) float64 {
	n := float64(r.Rows())
	mean, std := 0.0, 1.0
	if cfg.NormAdvantage {
		squares := 0.0
		for _, a := range r.Advantages {
			mean += a / n
		}
		for _, a := range r.Advantages {
			squares += (a - mean) * (a - mean)
		}
		std = math.Sqrt(squares/(n-1)) + 1e-8
	}
	loss := 0.0
	for row := range r.Rows() {
		logp := p.LogProb(r.RawOf(row), r.ObsOf(row), r.MaskOf(row))
		entropy := p.Entropy()
		miss := p.ValueOf(r.ObsOf(row), r.MaskOf(row)) - r.Returns[row]
		loss += (-logp*(r.Advantages[row]-mean)/std + cfg.ValueCoef*miss*miss - cfg.EntropyCoef*entropy) / n
	}
	return loss
}

// TestLossByDifferences holds the graph's loss to the plain one and its gradients to
// differences of the plain one, for every sort of policy.
func TestLossByDifferences(t *testing.T) {
	for name, k := range kinds() {
		r := agenttest.Draws(name)
		p, err := policy.New(k.cfg.actor(), &k.spec, r)
		if err != nil {
			t.Fatal(name, err)
		}
		s, err := newStep(p, &k.cfg)
		if err != nil {
			t.Fatal(name, err)
		}
		for run := range 3 {
			for _, w := range p.Params() {
				for i := range w.W {
					w.W[i] += 0.1 * r.NormFloat64()
				}
			}
			ro := fakeRollout(p, &k.cfg, r)
			s.fill(ro, k.cfg.NormAdvantage)
			got, err := s.machine.Run()
			if err != nil {
				t.Fatal(name, err)
			}
			if want := plainLoss(p, &k.cfg, ro); !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
				t.Fatalf("%s, run %d: loss is %.12g, by hand %.12g", name, run, got, want)
			}
			agenttest.Machine(t, s.machine, watchEntropy+1)
			agenttest.Gradients(t, name, p.Params(), func() float64 { return plainLoss(p, &k.cfg, ro) })
		}
		if err := s.machine.Close(); err != nil {
			t.Error(err)
		}
	}
}

// With lambda 1 the critic's target is the return over the steps that are left of the rollout, and
// the value of what comes after them.
func TestReturnsOverSeveralSteps(t *testing.T) {
	cfg := Default()
	cfg.Envs, cfg.Hidden, cfg.TotalSteps = 3, []int{8}, 100*375
	l, err := New(cfg, 1, func(int) (env.Env, error) { return classic.CartPole(), nil })
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ends := 0
	for range 20 {
		if err := l.collect(l.chosen); err != nil {
			t.Fatal(err)
		}
		r := l.r
		ppo.GAE(r, 1)
		for row := range r.Rows() {
			want, weight := 0.0, 1.0
			for at := row; ; at += cfg.Envs {
				want += weight * r.Rewards[at]
				weight *= 0.99
				if r.Terminated[at] {
					ends++
					break
				}
				if at+cfg.Envs >= r.Rows() {
					want += weight * r.NextValues[at%cfg.Envs]
					break
				}
			}
			if math.Abs(r.Returns[row]-want) > 1e-12 || math.Abs(r.Advantages[row]-(want-r.Values[row])) > 1e-12 {
				t.Fatalf("row %d: the return is %g, expected %g", row, r.Returns[row], want)
			}
		}
	}
	if ends == 0 {
		t.Error("no episode ended")
	}
}
