package reinforce

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/policy"
	"tarry/env"
)

type kind struct {
	cfg  Config
	spec env.Spec
}

// kinds are the sorts of policies, with a configuration small enough for differences.
func kinds() map[string]kind {
	small := Default()
	small.Hidden = []int{5}
	squash, set := small, small
	squash.Squash = true
	set.Candidates = &policy.Candidates{Global: 1, Features: 2, Extra: 1}
	relu, reluSet := small, set
	relu.Activation, reluSet.Activation = "relu", "relu"
	obs := env.NewBox(-1, 1, 3)
	return map[string]kind{
		"discrete": {small, env.Spec{ID: "t/A-v0", Observation: obs, Action: env.Discrete{N: 4, Start: 2}}},
		"relu":     {relu, env.Spec{ID: "t/B-v0", Observation: obs, Action: env.Discrete{N: 4}, Masked: true}},
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

// fakePlay is a rollout of random observations with legal actions.
func fakePlay(p *policy.Policy, rows int, r *rand.Rand) *track {
	k := &track{}
	obs, raw, mask := make([]float64, p.Obs), make([]float64, p.Action), make([]bool, p.MaskLen())
	for range rows {
		for i := range obs {
			obs[i] = r.NormFloat64()
		}
		agenttest.Mask(mask, p.Sizes, r)
		p.Choose(raw, obs, mask, r)
		k.obs, k.raw, k.mask = append(k.obs, obs...), append(k.raw, raw...), append(k.mask, mask...)
		k.reward = append(k.reward, 0)
		k.togo, k.base = append(k.togo, r.NormFloat64()), append(k.base, r.NormFloat64())
	}
	return k
}

// plainLoss is the loss by the hand-written pass, straight from the paper.
func plainLoss(p *policy.Policy, tracks []*track, scale, coef float64) (loss float64) {
	n := 0.0
	for _, k := range tracks {
		for i := range k.rows() {
			var mask []bool
			if m := p.MaskLen(); m > 0 {
				mask = k.mask[i*m : (i+1)*m]
			}
			logp := p.LogProb(k.raw[i*p.Action:(i+1)*p.Action], k.obs[i*p.Obs:(i+1)*p.Obs], mask)
			loss -= logp*scale*(k.togo[i]-k.base[i]) + coef*p.Entropy()
			n++
		}
	}
	return loss / n
}

// TestLossByDifferences holds the graph's loss to the plain one and its gradients to
// differences of the plain one, for every sort of policy, in one part and in several.
func TestLossByDifferences(t *testing.T) {
	for name, c := range kinds() {
		r := agenttest.Draws(name)
		p, err := policy.New(c.cfg.actor(), &c.spec, r)
		if err != nil {
			t.Fatal(name, err)
		}
		s, err := newStep(p)
		if err != nil {
			t.Fatal(name, err)
		}
		for _, rows := range []int{1, 150} {
			for _, w := range p.Params() {
				for i := range w.W {
					w.W[i] += 0.1 * r.NormFloat64()
				}
			}
			tracks := []*track{fakePlay(p, rows, r), fakePlay(p, rows, r)}
			got, policy, entropy, err := s.gradient(tracks, 0.7, 0.2)
			if err != nil {
				t.Fatal(name, err)
			}
			plain := func() float64 { return plainLoss(p, tracks, 0.7, 0.2) }
			if want := plain(); !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) ||
				math.Abs(policy-0.2*entropy-got) > 1e-9 {
				t.Fatalf("%s, %d rows: loss is %.12g (policy %g, entropy %g), by hand %.12g", name, rows, got, policy,
					entropy, want)
			}
			agenttest.Gradients(t, name, p.Params(), plain)
			agenttest.Machine(t, s.machine, watchEntropy+1)
		}
		if err := s.machine.Close(); err != nil {
			t.Error(err)
		}
	}
}
