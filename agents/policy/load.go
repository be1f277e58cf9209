package policy

import (
	"fmt"
	"math/rand/v2"

	"tarry/agents/nn"
	"tarry/env"
)

// Save puts the weights and moments into a state.
func (p *Policy) Save(s *nn.State) error {
	s.PutParams(p.Params())
	if p.Moments == nil {
		return nil
	}
	data, err := p.Moments.MarshalBinary()
	s.Put("moments/obs", data)
	return err
}

// Restore takes them out again.
func (p *Policy) Restore(s *nn.State) error {
	if err := s.Params(p.Params()); err != nil || p.Moments == nil {
		return err
	}
	data, err := s.Get("moments/obs")
	if err != nil {
		return err
	}
	return p.Moments.UnmarshalBinary(data)
}

// Load gives the frozen policy of a saved run in environments of the spec was, to act in
// environments of the spec now. The spaces must be equal, but for the number of candidates where
// one kernel judges them all.
func Load(cfg Config, was, now *env.Spec, s *nn.State) (*Policy, error) {
	if cfg.Candidates == nil && (!env.EqualSpaces(was.Observation, now.Observation) ||
		!env.EqualSpaces(was.Action, now.Action)) || was.Masked != now.Masked {
		return nil, fmt.Errorf("checkpoint of %s has other spaces than %s", was.ID, now.ID)
	}
	p, err := New(cfg, now, rand.New(rand.NewPCG(0, 0))) // its weights are replaced
	if err != nil {
		return nil, err
	}
	if err := p.Restore(s); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	return p, nil
}
