package main

import (
	"fmt"
	"math/rand/v2"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/registry"
	"tarry/env"
)

// linear is the policy that ars trains: it chooses the action with the highest score, a linear
// function of the observation.
type linear struct {
	weights []float64 // per action one per number of the observation, and a constant
	actions int
}

func newLinear(s *env.Spec) (*linear, error) {
	a, ok := s.Action.(env.Discrete)
	if !ok {
		return nil, fmt.Errorf("ars: %s has actions of %s, expected Discrete", s.ID, env.Describe(s.Action))
	}
	return &linear{make([]float64, a.N*(s.Observation.Len()+1)), a.N}, nil
}

func (p *linear) section() learn.Section {
	return learn.Section{Save: func(s *nn.State) error { s.PutFloats("weights", p.weights); return nil },
		Load: func(s *nn.State) error { return s.Floats("weights", p.weights) }}
}

// loadARS takes the frozen policy out of a checkpoint.
func loadARS(saved []byte, spec *env.Spec) (registry.Policy, error) {
	return learn.Load(ars, saved, func(_ *arsConfig, was *env.Spec, s *nn.State) (*linear, error) {
		if err := learn.SameSpaces(was, spec, false); err != nil {
			return nil, err
		}
		p, err := newLinear(spec)
		if err != nil {
			return nil, err
		}
		return p, p.section().Load(s)
	})
}

// Act has no randomness: r is not used.
func (p *linear) Act(dst, obs []float64, mask []bool, _ *rand.Rand) error {
	best, n := -1, len(obs)+1
	top := 0.0
	for a := range p.actions {
		w := p.weights[a*n : (a+1)*n]
		score := w[len(obs)]
		for i, x := range obs {
			score += float64(w[i] * x)
		}
		if (mask == nil || mask[a]) && (best < 0 || score > top) {
			best, top = a, score
		}
	}
	if best < 0 {
		return env.ErrNoLegalAction
	}
	dst[0] = float64(best)
	return nil
}

func (p *linear) Fork() registry.Policy { return &linear{p.weights, p.actions} }
