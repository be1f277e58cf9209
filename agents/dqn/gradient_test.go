package dqn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/replay"
	"tarry/env"
)

// kinds are the sorts of networks and losses, small enough for differences.
func kinds() map[string]struct {
	cfg  Config
	spec env.Spec
} {
	small := Default()
	small.Hidden, small.Batch = []int{5}, 4
	duel := small
	duel.Duel = true
	huber := small
	huber.Huber, huber.Double = true, false
	set := huber
	set.Candidates = &Candidates{Global: 1, Features: 2, Extra: 1}
	tanh, reluSet := small, set
	tanh.Activation, reluSet.Activation = "tanh", "relu"
	both := set
	both.Duel = true
	obs := env.NewBox(-1, 1, 3)
	type kind = struct {
		cfg  Config
		spec env.Spec
	}
	return map[string]kind{
		"tanh": {tanh, env.Spec{ID: "t/A-v0", Observation: obs, Action: env.Discrete{N: 4, Start: 2}}},
		"relu set": {reluSet, env.Spec{ID: "t/G-v0", Observation: env.NewBox(-1, 1, 7), Action: env.Discrete{N: 4},
			Masked: true}},
		"plain":  {small, env.Spec{ID: "t/A-v0", Observation: obs, Action: env.Discrete{N: 4, Start: 2}}},
		"masked": {small, env.Spec{ID: "t/B-v0", Observation: obs, Action: env.Discrete{N: 4}, Masked: true}},
		"duel":   {duel, env.Spec{ID: "t/C-v0", Observation: obs, Action: env.Discrete{N: 4}, Masked: true}},
		"huber":  {huber, env.Spec{ID: "t/D-v0", Observation: obs, Action: env.Discrete{N: 4}}},
		"candidates": {set, env.Spec{ID: "t/E-v0", Observation: env.NewBox(-1, 1, 7), Action: env.Discrete{N: 4},
			Masked: true}},
		"candidates duel": {both, env.Spec{ID: "t/F-v0", Observation: env.NewBox(-1, 1, 7), Action: env.Discrete{N: 4},
			Masked: true}},
	}
}

// noise is a transition of noise with a legal action.
func noise(p *Policy, r *rand.Rand) replay.Transition {
	draw := func() (obs []float64, mask []bool, legal int) {
		obs = make([]float64, p.obs)
		for i := range obs {
			obs[i] = r.NormFloat64()
		}
		legal = r.IntN(len(p.q))
		if p.masked {
			mask = make([]bool, len(p.q))
			for i := range mask {
				mask[i] = i == legal || r.IntN(2) == 0
			}
		}
		return obs, mask, legal
	}
	t := replay.Transition{Reward: r.NormFloat64(), Discount: r.Float64()}
	var action int
	t.Obs, t.Mask, action = draw()
	t.Next, t.NextMask, _ = draw()
	t.Action = []float64{float64(action)}
	return t
}

// TestLossByDifferences holds the graph's loss to the formula, by the hand-written pass, and its
// gradients to differences of that.
func TestLossByDifferences(t *testing.T) {
	for name, k := range kinds() {
		r := agenttest.Draws(name)
		p, err := newPolicy(&k.cfg, "q", &k.spec, r)
		if err != nil {
			t.Fatal(name, err)
		}
		s, err := newStep(p, &k.cfg)
		if err != nil {
			t.Fatal(name, err)
		}
		for run := range 3 {
			for _, w := range p.net.Params() { // away from biases of 0, where rectifiers bend
				for i := range w.W {
					w.W[i] += 0.1 * r.NormFloat64()
				}
			}
			var trs []replay.Transition
			var ys []float64
			for i := range k.cfg.Batch {
				tr, y := noise(p, r), 2*r.NormFloat64()
				s.fill(i, &tr, y)
				trs, ys = append(trs, tr), append(ys, y)
			}
			plain := func() float64 {
				loss := 0.0
				for i, tr := range trs {
					p.net.Forward(p.q, tr.Obs, tr.Mask)
					miss := p.q[int(tr.Action[0])] - ys[i]
					one := miss * miss
					if a := math.Abs(miss); k.cfg.Huber && a > 1 {
						one = a - 0.5
					} else if k.cfg.Huber {
						one /= 2
					}
					loss += one / float64(len(trs))
				}
				return loss
			}
			got, err := s.machine.Run()
			if err != nil {
				t.Fatal(name, err)
			}
			if want := plain(); !(math.Abs(got-want) <= 1e-9*max(1, want)) {
				t.Fatalf("%s, run %d: loss is %.12g, by hand %.12g", name, run, got, want)
			}
			agenttest.Machine(t, s.machine, watchQ+1)
			agenttest.Gradients(t, name, p.net.Params(), plain)
		}
		if err := s.machine.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The value of what a transition led to is the largest legal value of the target network, or with
// double learning its value of the action that the network chooses; nothing after an end.
func TestBootstrap(t *testing.T) {
	for name, k := range kinds() {
		r := agenttest.Draws(name)
		online, err := newPolicy(&k.cfg, "q", &k.spec, r)
		if err != nil {
			t.Fatal(err)
		}
		target, err := newPolicy(&k.cfg, "target", &k.spec, r)
		if err != nil {
			t.Fatal(err)
		}
		s, err := newStep(online, &k.cfg)
		if err != nil {
			t.Fatal(err)
		}
		q, tq := make([]float64, 4), make([]float64, 4)
		differ := false
		for round := range 50 {
			plain, double := make([]float64, s.rows), make([]float64, s.rows)
			for row := range s.rows {
				tr := noise(online, r)
				if row == round%8 {
					tr.Discount = 0 // after an end there is nothing
				}
				s.follow(row, &tr)
				online.net.Forward(q, tr.Next, tr.NextMask)
				target.net.Forward(tq, tr.Next, tr.NextMask)
				best, choice := math.Inf(-1), -1
				for i := range q {
					if tr.NextMask != nil && !tr.NextMask[i] {
						continue
					}
					best = max(best, tq[i])
					if choice < 0 || q[i] > q[choice] {
						choice = i
					}
				}
				differ = differ || tq[choice] != best
				plain[row], double[row] = tr.Reward+float64(tr.Discount*best), tr.Reward+float64(tr.Discount*tq[choice])
			}
			if s.bootstrap(online, target, false); !slices.Equal(s.target, plain) {
				t.Fatalf("%s: plain targets are %g, want %g", name, s.target, plain)
			}
			if s.bootstrap(online, target, true); !slices.Equal(s.target, double) {
				t.Fatalf("%s: double targets are %g, want %g", name, s.target, double)
			}
		}
		if !differ {
			t.Errorf("%s: the networks never chose differently", name)
		}
	}
}

func TestEpsilon(t *testing.T) {
	c := Default()
	c.TotalSteps, c.EpsPart = 1000, 0.5
	for _, k := range []struct {
		steps int
		want  float64
	}{{0, 1}, {250, 0.525}, {500, 0.05}, {999, 0.05}} {
		if got := c.epsilon(k.steps); math.Abs(got-k.want) > 1e-12 {
			t.Errorf("after %d steps epsilon is %g, want %g", k.steps, got, k.want)
		}
	}
	if c.EpsPart = 0; math.Abs(c.epsilon(0)-0.05) > 1e-12 {
		t.Errorf("without a part epsilon is %g at the start, want 0.05", c.epsilon(0))
	}
}

// Random actions are uniform over the legal ones and come as often as asked for.
func TestExploration(t *testing.T) {
	k := kinds()["masked"]
	r := agenttest.Draws("explore")
	p, err := newPolicy(&k.cfg, "q", &k.spec, r)
	if err != nil {
		t.Fatal(err)
	}
	obs, mask := []float64{0.3, -1, 0.5}, []bool{true, false, true, true}
	best := p.best(obs, mask)
	const n, random = 30_000, 0.6
	seen := make([]float64, 4)
	for range n {
		seen[p.choose(obs, mask, random, r)]++
	}
	for i, c := range seen {
		want := random / 3
		if i == best {
			want += 1 - random
		}
		if !mask[i] {
			want = 0
		}
		if math.Abs(c/n-want) > 5*math.Sqrt(0.25/n) {
			t.Errorf("action %d was taken with frequency %.4f, want %.4f", i, c/n, want)
		}
	}
}
