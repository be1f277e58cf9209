package ppo

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/learn"
	"tarry/env"
)

// kinds are the sorts of policies, with a configuration small enough for differences.
func kinds() map[string]struct {
	cfg  Config
	spec env.Spec
} {
	small := Default()
	small.Hidden = []int{5}
	squash := small
	squash.Squash = true
	loose := small
	loose.ClipValue, loose.NormAdvantage, loose.EntropyCoef = false, false, 0
	set := small
	set.Candidates = &Candidates{Global: 1, Features: 2, Extra: 1}
	relu, reluSet := small, set
	relu.Activation, reluSet.Activation = "relu", "relu"
	privileged, listed := small, set
	privileged.CriticOnly, listed.CriticOnly = 2, 1
	classes := small
	classes.Encoder, classes.Candidates = "classes", &Candidates{Global: 1, Features: 2, Each: 2}
	squashed := classes
	squashed.Squash = true
	ranking := small
	ranking.Encoder, ranking.Candidates, ranking.Places, ranking.Temperature = "ranking",
		&Candidates{Global: 1, Features: 2, Each: 1}, 2, 0.7
	asked := classes
	asked.Candidates = &Candidates{Global: 1, Features: 2, Each: 4}
	obs := env.NewBox(-1, 1, 3)
	type kind = struct {
		cfg  Config
		spec env.Spec
	}
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
		"multi":  {small, env.Spec{ID: "t/C-v0", Observation: obs, Action: env.MultiDiscrete{N: []int{2, 3}}}},
		"masked multi": {small, env.Spec{ID: "t/D-v0", Observation: obs,
			Action: env.MultiDiscrete{N: []int{3, 2, 2}}, Masked: true}},
		"continuous": {small, env.Spec{ID: "t/E-v0", Observation: obs, Action: env.NewBox(-2, 4, 2)}},
		"squashed":   {squash, env.Spec{ID: "t/F-v0", Observation: obs, Action: env.NewBox(0, 1, 2)}},
		"candidates": {set, env.Spec{ID: "t/G-v0", Observation: env.NewBox(-1, 1, 7), Action: env.Discrete{N: 4},
			Masked: true}},
		"classes": {classes, env.Spec{ID: "t/I-v0", Observation: env.NewBox(-1, 1, 7),
			Action: env.NewBox(-2, 4, 3, 2)}},
		"classes squash": {squashed, env.Spec{ID: "t/J-v0", Observation: env.NewBox(-1, 1, 7),
			Action: env.NewBox(-2, 4, 3, 2)}},
		"class asked": {asked, env.Spec{ID: "t/K-v0", Observation: env.NewBox(-1, 1, 3),
			Action: env.Discrete{N: 4}}},
		"ranking": {ranking, env.Spec{ID: "t/L-v0", Observation: env.NewBox(-1, 1, 11),
			Action: env.NewBox(-9, 9, 5)}},
		"candidates free": {set, env.Spec{ID: "t/H-v0", Observation: env.NewBox(-1, 1, 7), Action: env.Discrete{N: 4}}},
	}
}

// fakeRollout is rows of noise with legal actions.
func fakeRollout(p *Policy, rows int, r *rand.Rand) *rollout {
	ro := newRollout(&p.Layout, 1, rows)
	for row := range rows {
		for i := range ro.ObsOf(row) {
			ro.ObsOf(row)[i] = r.NormFloat64()
		}
	}
	for row := range rows {
		mask := ro.MaskOf(row)
		agenttest.Mask(mask, p.Sizes, r)
		ro.logProbs[row] = p.Choose(ro.RawOf(row), ro.ObsOf(row), mask, r) + 0.3*r.NormFloat64()
		ro.Advantages[row], ro.Returns[row], ro.Values[row] = r.NormFloat64(), r.NormFloat64(), 0.2*r.NormFloat64()
	}
	return ro
}

// plainLoss is the loss by the hand-written pass, straight from the papers.
func plainLoss(p *Policy, cfg *Config, r *rollout, index []int, clip float64, imitate bool) float64 {
	mean, std := 0.0, 1.0
	if cfg.NormAdvantage {
		var chosen []float64
		for _, row := range index {
			chosen = append(chosen, r.Advantages[row])
		}
		mean, std = learn.MeanStd(chosen)
		std += 1e-8
	}
	loss := 0.0
	for _, row := range index {
		logp := p.LogProb(r.RawOf(row), r.ObsOf(row), r.MaskOf(row))
		entropy := p.Entropy()
		ratio, adv := math.Exp(logp-r.logProbs[row]), (r.Advantages[row]-mean)/std
		gain := min(ratio*adv, min(max(ratio, 1-clip), 1+clip)*adv)
		v := p.ValueOf(r.ObsOf(row), r.MaskOf(row))
		miss := (v - r.Returns[row]) * (v - r.Returns[row])
		if imitate {
			gain = logp
		} else if cfg.ClipValue {
			near := r.Values[row] + min(max(v-r.Values[row], -clip), clip)
			miss = max(miss, (near-r.Returns[row])*(near-r.Returns[row]))
		}
		loss += (-gain + cfg.ValueCoef*0.5*miss - cfg.EntropyCoef*entropy) / float64(len(index))
	}
	return loss
}

// TestLossByDifferences holds the graph's loss to the plain one and its gradients to
// differences of the plain one, for every sort of policy, with padding.
func TestLossByDifferences(t *testing.T) {
	for name, k := range kinds() {
		for _, imitate := range []bool{false, true} {
			r := agenttest.Draws(name)
			p, err := newPolicy(&k.cfg, &k.spec, r)
			if err != nil {
				t.Fatal(name, err)
			}
			build := newLoss
			if imitate {
				build = newCloning
			}
			s, err := build(p, &k.cfg, 6)
			if err != nil {
				t.Fatal(name, err)
			}
			ro := fakeRollout(p, 8, r)
			for run, index := range [][]int{{7, 2, 3, 0, 5, 1}, {4, 6, 1, 0}, {3, 2}} {
				for _, w := range p.Params() {
					for i := range w.W {
						w.W[i] += 0.1 * r.NormFloat64()
					}
				}
				s.load(ro, index, 0.2)
				if k.cfg.NormAdvantage {
					s.normalize(len(index))
				}
				got, err := s.machine.Run()
				if err != nil {
					t.Fatal(name, err)
				}
				plain := func() float64 { return plainLoss(p, &k.cfg, ro, index, 0.2, imitate) }
				if want := plain(); !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
					t.Fatalf("%s, imitate %v, run %d: loss is %.12g, by hand %.12g", name, imitate, run, got, want)
				}
				agenttest.Machine(t, s.machine, watchLogRatio+1)
				agenttest.Gradients(t, name, p.Params(), plain)
			}
			if err := s.machine.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// What was drawn has the log-probability that was noted: the ratio of the first minibatch is 1.
func TestFirstRatioIsOne(t *testing.T) {
	for name, k := range kinds() {
		r := agenttest.Draws(name)
		p, err := newPolicy(&k.cfg, &k.spec, r)
		if err != nil {
			t.Fatal(err)
		}
		ro := fakeRollout(p, 8, r)
		for row := range 8 {
			ro.logProbs[row] = p.Choose(ro.RawOf(row), ro.ObsOf(row), ro.MaskOf(row), r)
		}
		s, err := newLoss(p, &k.cfg, 8)
		if err != nil {
			t.Fatal(err)
		}
		s.load(ro, []int{0, 1, 2, 3, 4, 5, 6, 7}, 0.2)
		s.normalize(8)
		if _, err := s.machine.Run(); err != nil {
			t.Fatal(err)
		}
		for row, lr := range s.machine.Series(watchLogRatio) {
			if math.Abs(lr) > 1e-9 {
				t.Errorf("%s: log ratio of row %d is %g, want 0", name, row, lr)
			}
		}
		var row Row
		s.report(&row, 8, 8, 0.2, 0)
		if math.Abs(row.KL) > 1e-9 || math.Abs(row.OldKL) > 1e-9 || row.ClipFraction != 0 {
			t.Errorf("%s: divergence %g, %g, clipped %g, want 0", name, row.KL, row.OldKL, row.ClipFraction)
		}
	}
}
