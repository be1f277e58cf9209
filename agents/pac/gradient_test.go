package pac

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/policy"
	"tarry/agents/replay"
	"tarry/env"
	"tarry/env/classic"
)

// kinds are the sorts of policies, with a configuration small enough for differences.
func kinds() map[string]struct {
	cfg  Config
	spec env.Spec
} {
	small := Default()
	small.Hidden, small.Batch = []int{5}, 4
	loose, set, tanh := small, small, small
	loose.EntropyCoef, loose.CriticOnly = 0, 1
	set.Candidates = &policy.Candidates{Global: 1, Features: 2, Extra: 1}
	tanh.Activation, tanh.Squash = "tanh", true
	obs := env.NewBox(-1, 1, 3)
	return map[string]struct {
		cfg  Config
		spec env.Spec
	}{
		"discrete": {small, env.Spec{ID: "t/A-v0", Observation: obs, Action: env.Discrete{N: 4, Start: 2}}},
		"loose":    {loose, env.Spec{ID: "t/A-v0", Observation: obs, Action: env.Discrete{N: 4}}},
		"masked multi": {small, env.Spec{ID: "t/D-v0", Observation: obs, Action: env.MultiDiscrete{N: []int{3, 2, 2}},
			Masked: true}},
		"squashed": {tanh, env.Spec{ID: "t/F-v0", Observation: obs, Action: env.NewBox(0, 1, 2)}},
		"candidates": {set, env.Spec{ID: "t/G-v0", Observation: env.NewBox(-1, 1, 7), Action: env.Discrete{N: 4},
			Masked: true}},
	}
}

// drawn is a decision of random numbers with a legal action.
func drawn(p *policy.Policy, r *rand.Rand) replay.Transition {
	tr := replay.Transition{Obs: make([]float64, p.Obs), Action: make([]float64, p.Action)}
	if n := p.MaskLen(); n > 0 {
		tr.Mask = make([]bool, n)
		agenttest.Mask(tr.Mask, p.Sizes, r)
	}
	for i := range tr.Obs {
		tr.Obs[i] = r.NormFloat64()
	}
	p.Choose(tr.Action, tr.Obs, tr.Mask, r)
	return tr
}

// The graph's loss is the formula's, by the hand-written pass, and its gradients are differences of
// that, for every sort of policy.
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
			trs := make([]replay.Transition, k.cfg.Batch)
			for i := range trs {
				trs[i] = drawn(p, r)
				s.fill(i, p, &trs[i], r.NormFloat64(), 0.25)
				s.adv[i] = r.NormFloat64()
			}
			plain := func() (loss float64) {
				for i, tr := range trs {
					logp := p.LogProb(tr.Action, tr.Obs, tr.Mask)
					entropy := p.Entropy()
					miss := p.ValueOf(tr.Obs, tr.Mask) - s.ret[i]
					loss += -logp*s.adv[i] + (k.cfg.ValueCoef*miss*miss-k.cfg.EntropyCoef*entropy)/4
				}
				return loss
			}
			got, err := s.machine.Run()
			if err != nil {
				t.Fatal(name, err)
			}
			if want := plain(); !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
				t.Fatalf("%s, run %d: loss is %.12g, by hand %.12g", name, run, got, want)
			}
			agenttest.Machine(t, s.machine, watchEntropy+1)
			agenttest.Gradients(t, name, p.Params(), plain)
		}
		if err := s.machine.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A minibatch gives each decision its weighted advantage: the return less the critic's value, or less
// the mean of the store.
func TestAdvantages(t *testing.T) {
	for _, baseline := range []string{ByCritic, ByMean} {
		cfg := Default()
		cfg.TotalSteps, cfg.Steps, cfg.Buffer, cfg.LearningStarts, cfg.Batch, cfg.Hidden = 64, 64, 64, 32, 8, []int{4}
		cfg.Baseline, cfg.LearningRate = baseline, 1e-9
		l, err := New(cfg, 1, func(int) (env.Env, error) { return classic.CartPole(), nil })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Update(); err != nil {
			t.Fatal(err)
		}
		row, mean := Row{LearningRate: 1e-12}, 1.0 // every step of CartPole earns 1 and is a slot
		if err := l.learn(&row); err != nil {
			t.Fatal(err)
		}
		for k, at := range l.rows {
			tr := l.store.At(at)
			base := mean
			if baseline == ByCritic {
				base = l.policy.Value(tr.Obs, tr.Mask)
			}
			want := l.weights[k] * (1 - base) / 8
			if got := l.update.adv[k]; tr.Reward != 1 || math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: reward %v, advantage %v, expected 1 and %v", baseline, tr.Reward, got, want)
			}
		}
		agenttest.Warm(t, l.Update, func() error { return l.learn(&row) })
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}
