package policy

import (
	"math"
	"strings"
	"testing"

	"tarry/agents/nn"
	"tarry/env"
)

func boxes(n int, action env.Space, masked bool) *env.Spec {
	return &env.Spec{ID: "t/A-v0", Observation: env.NewBox(-1, 1, n), Action: action, Masked: masked}
}

// stirred is a policy with weights and moments of its own.
func stirred(t *testing.T, cfg Config, s *env.Spec) *Policy {
	t.Helper()
	r := stream("stirred")
	p, err := New(cfg, s, r)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range p.Params() {
		for i := range w.W {
			w.W[i] += 0.3 * r.NormFloat64()
		}
	}
	if p.Moments != nil {
		p.Moments.Add([]float64{5, 0.1, -3, 6, 0.2, -4, 9, 0.3, -8})
	}
	return p
}

// A policy that is saved and loaded does the same, with and without a critic or moments.
func TestLoad(t *testing.T) {
	for name, c := range map[string]struct {
		cfg  Config
		spec *env.Spec
	}{
		"plain":      {plain(), boxes(3, env.Discrete{N: 4}, false)},
		"no critic":  {Config{Hidden: []int{5}}, boxes(3, env.MultiDiscrete{N: []int{2, 3}}, false)},
		"normalised": {Config{Hidden: []int{5}, Critic: true, NormObs: true}, boxes(3, env.NewBox(-2, 2, 2), false)},
		"candidates": {Config{Hidden: []int{5}, Critic: true, Candidates: &Candidates{Global: 1, Features: 1}},
			boxes(3, env.Discrete{N: 2}, true)},
	} {
		p, s := stirred(t, c.cfg, c.spec), &nn.State{}
		if err := p.Save(s); err != nil {
			t.Fatal(name, err)
		}
		q, err := Load(c.cfg, c.spec, c.spec, s)
		if err != nil {
			t.Fatal(name, err)
		}
		obs, mask := []float64{0.4, -0.2, 0.9}, []bool{true, true}
		a, b := make([]float64, p.Action), make([]float64, p.Action)
		for _, x := range []*Policy{q, q.Fork()} {
			if err1, err2 := p.Act(a, obs, mask, stream("a")), x.Act(b, obs, mask, stream("a")); err1 != nil ||
				err2 != nil {
				t.Fatal(name, err1, err2)
			}
			for i := range a {
				if a[i] != b[i] {
					t.Errorf("%s: action %v became %v", name, a, b)
				}
			}
		}
		if p.Critic != nil && p.Value(obs, mask) != q.Value(obs, mask) {
			t.Errorf("%s: value %g became %g", name, p.Value(obs, mask), q.Value(obs, mask))
		}
		if c.cfg.Critic != (q.Critic != nil) {
			t.Errorf("%s: critic %v", name, q.Critic)
		}
	}
}

func TestLoadRefusesWhatDoesNotFit(t *testing.T) {
	norm := Config{Hidden: []int{5}, NormObs: true}
	was := boxes(3, env.Discrete{N: 4}, false)
	full, bare := &nn.State{}, &nn.State{}
	if err := stirred(t, norm, was).Save(full); err != nil {
		t.Fatal(err)
	}
	bare.PutParams(stirred(t, norm, was).Params())
	for _, c := range []struct {
		now  *env.Spec
		s    *nn.State
		want string
	}{
		{boxes(4, env.Discrete{N: 4}, false), full, "checkpoint of t/A-v0 has other spaces than t/A-v0"},
		{boxes(3, env.Discrete{N: 5}, false), full, "has other spaces"},
		{boxes(3, env.Discrete{N: 4}, true), full, "has other spaces"},
		{was, &nn.State{}, `checkpoint: saved state has no section "weights/actor/`},
		{was, bare, `checkpoint: saved state has no section "moments/obs"`},
	} {
		if _, err := Load(norm, was, c.now, c.s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error is %v, want %q", err, c.want)
		}
	}
}

// The actor in a graph gives the log-probabilities and entropies of the hand-written pass.
func TestLikelihood(t *testing.T) {
	squash := Config{Hidden: []int{5}, Squash: true}
	set := Config{Hidden: []int{5}, Candidates: &Candidates{Global: 1, Features: 1, Extra: 1}}
	for name, p := range map[string]*Policy{
		"masked":     stirred(t, Config{Hidden: []int{5}}, boxes(3, env.MultiDiscrete{N: []int{2, 3}}, true)),
		"free":       stirred(t, Config{}, boxes(3, env.Discrete{N: 4, Start: 7}, false)),
		"gaussian":   stirred(t, Config{Hidden: []int{5}}, boxes(3, env.NewBox(-2, 5, 2), false)),
		"squashed":   stirred(t, squash, boxes(3, env.NewBox(-2, 5, 2), false)),
		"candidates": stirred(t, set, boxes(3, env.Discrete{N: 3}, true)),
	} {
		const rows = 4
		tape := nn.NewTape(rows)
		l := p.Likelihood(tape)
		tape.Watch(l.LogProb)
		tape.Watch(l.Entropy)
		m, err := tape.Compile(tape.Sum(l.LogProb))
		if err != nil {
			t.Fatal(name, err)
		}
		r := stream("likelihood")
		for range 3 {
			var logp, entropy []float64
			for row := range rows {
				obs, raw, mask := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()},
					make([]float64, p.Action), make([]bool, p.MaskLen())
				for i := range mask {
					mask[i] = i != 2 && (i != 3 || r.IntN(2) == 0) // something stays legal in every component
				}
				logp = append(logp, p.Choose(raw, obs, mask, r))
				entropy = append(entropy, p.Entropy())
				l.Fill(row, obs, mask, raw)
				if again := p.LogProb(raw, obs, mask); again != logp[row] {
					t.Errorf("%s: log-probability %g when it was drawn, %g afterwards", name, logp[row], again)
				}
			}
			if _, err := m.Run(); err != nil {
				t.Fatal(name, err)
			}
			for row := range rows {
				if a, b := m.Series(0)[row]-logp[row], m.Series(1)[row]-entropy[row]; !(math.Abs(a) < 1e-9 &&
					math.Abs(b) < 1e-9) {
					t.Errorf("%s, row %d: log-probability %g off, entropy %g off", name, row, a, b)
				}
			}
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}
