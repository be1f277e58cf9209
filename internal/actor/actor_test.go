package actor

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tarry/env"
	"tarry/internal/nn"
	"tarry/internal/rng"
)

// plain is a policy of two layers with a critic.
func plain() Config { return Config{Hidden: []int{64, 64}, Critic: true} }

func stream(name string) *rand.Rand { return rng.Source{Seed: 3}.Stream(name).Rand }

func policyFor(t *testing.T, cfg Config, action env.Space) *Policy {
	t.Helper()
	p, err := New(cfg, &env.Spec{ID: "t/A-v0", Observation: env.NewBox(-1, 1, 3), Action: action}, stream("convert"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Actions of every sort go to the environment and back, inside their space.
func TestActionsThereAndBack(t *testing.T) {
	squash := plain()
	squash.Squash = true
	box := env.Box{Low: []float64{-2, 0}, High: []float64{2, 10}}
	for _, c := range []struct {
		name      string
		cfg       Config
		action    env.Space
		raw, want []float64
	}{
		{"discrete", plain(), env.Discrete{N: 5, Start: -1}, []float64{3}, []float64{2}},
		{"multi", plain(), env.MultiDiscrete{N: []int{2, 4}}, []float64{1, 3}, []float64{1, 3}},
		{"box", plain(), box, []float64{0.5, -0.2}, []float64{1, 4}},
		{"tanh", squash, box, []float64{math.Atanh(0.5), math.Atanh(-0.2)}, []float64{1, 4}},
	} {
		p := policyFor(t, c.cfg, c.action)
		got, back := make([]float64, len(c.raw)), make([]float64, len(c.raw))
		p.ToEnv(got, c.raw)
		p.FromEnv(back, got)
		for i := range c.raw {
			if math.Abs(got[i]-c.want[i]) > 1e-12 || math.Abs(back[i]-c.raw[i]) > 1e-12 {
				t.Errorf("%s: %v became %v and back %v, want %v", c.name, c.raw, got, back, c.want)
			}
		}
	}
}

// However far out the Gaussian draws, the action lies in the Box.
func TestActionsAreBounded(t *testing.T) {
	for _, squash := range []bool{false, true} {
		cfg := plain()
		cfg.Squash = squash
		box := env.Box{Low: []float64{-0.1, 3}, High: []float64{0.7, 3.3}}
		p := policyFor(t, cfg, box)
		got, back := make([]float64, 2), make([]float64, 2)
		for _, raw := range []float64{-1e300, -7, -1, 0, 0.3, 1, 7, 1e300} {
			p.ToEnv(got, []float64{raw, raw})
			if !box.Contains(got) {
				t.Errorf("squash %v: %g became %v, outside the space", squash, raw, got)
			}
			if p.FromEnv(back, got); math.IsInf(back[0], 0) || math.IsNaN(back[0]) {
				t.Errorf("squash %v: %v came back as %v", squash, got, back)
			}
		}
	}
}

// The frequencies of drawn actions are the probabilities that are noted.
func TestDrawsFollowTheirProbabilities(t *testing.T) {
	p := policyFor(t, plain(), env.MultiDiscrete{N: []int{2, 3}})
	r := stream("draws")
	for _, w := range p.Params() {
		for i := range w.W {
			w.W[i] += 0.3 * r.NormFloat64()
		}
	}
	const n = 50_000
	x, raw, count := []float64{0.1, -0.4, 0.8}, make([]float64, 2), map[[2]float64]float64{}
	for range n {
		p.Choose(raw, x, nil, r)
		count[[2]float64(raw)]++
	}
	sum := 0.0
	for a := range 2 {
		for b := range 3 {
			pair := [2]float64{float64(a), float64(b)}
			want := math.Exp(p.LogProb(pair[:], x, nil))
			sum += want
			if got := count[pair] / n; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/n) {
				t.Errorf("%v was drawn with frequency %.4f, probability %.4f", pair, got, want)
			}
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("the probabilities sum to %g", sum)
	}
}

// The first weights leave the policy almost indifferent and the critic not.
func TestFirstWeights(t *testing.T) {
	p := policyFor(t, plain(), env.Discrete{N: 4})
	x := []float64{0.5, -0.5, 0.2}
	for a := range 4 {
		if got := math.Exp(p.LogProb([]float64{float64(a)}, x, nil)); math.Abs(got-0.25) > 0.02 {
			t.Errorf("action %d has probability %g at the start, expected about 1/4", a, got)
		}
	}
	if n := nn.CountWeights(p.Params()); n != (3*64+64+64*64+64)*2+64*4+4+64+1 {
		t.Errorf("%d weights", n)
	}
}

func TestCandidatesMustFit(t *testing.T) {
	cfg := plain()
	cfg.Candidates = &Candidates{Global: 2, Features: 3}
	for _, s := range []env.Spec{
		{ID: "t/A-v0", Observation: env.NewBox(0, 1, 9), Action: env.Discrete{N: 2}},
		{ID: "t/B-v0", Observation: env.NewBox(0, 1, 8), Action: env.Discrete{N: 3}},
		{ID: "t/C-v0", Observation: env.NewBox(0, 1, 8), Action: env.NewBox(0, 1, 2)},
		{ID: "t/D-v0", Observation: env.NewBox(0, 1, 1), Action: env.Discrete{N: 1}},
	} {
		if _, err := New(cfg, &s, stream("fit")); err == nil || !strings.Contains(err.Error(), "do not fit") {
			t.Errorf("%s: error is %v", s.ID, err)
		}
	}
}
