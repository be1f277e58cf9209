package envtest

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"

	"tarry/env"
	"tarry/env/layout"
)

// spaces inspects the spec.
func (c *checker) spaces() error {
	return c.with(func(e env.Env) error {
		s := e.Spec()
		if s == nil {
			return fmt.Errorf("Spec is nil")
		}
		if _, err := env.ParseID(s.ID); err != nil {
			c.fault("%v", err)
		}
		for _, part := range []env.Field{{Name: "observation", Space: s.Observation},
			{Name: "action", Space: s.Action}} {
			if err := env.CheckSpace(part.Space); err != nil {
				c.fault("%s: %v", part.Name, err)
			}
		}
		if len(c.report.Faults) > 0 {
			return nil
		}
		if s.Masked && env.MaskLen(s.Action) == 0 {
			c.fault("Masked is set, but %s has nothing to mask", env.Describe(s.Action))
		}
		if _, err := s.List(); err != nil {
			c.fault("%v", err)
		}
		c.taste(s)
		return c.json(s)
	})
}

// taste warns of what is lawful but hard to learn from.
func (c *checker) taste(s *env.Spec) {
	if b, ok := s.Observation.(env.Box); ok {
		for i := range b.Low {
			if math.IsInf(b.Low[i], 0) || math.IsInf(b.High[i], 0) {
				c.warn("observation number %d is unbounded: [%v, %v]", i, b.Low[i], b.High[i])
			}
			if b.Low[i] == b.High[i] {
				c.warn("observation number %d is always %v", i, b.Low[i])
			}
		}
	}
	if b, ok := s.Action.(env.Box); ok {
		for i, lo := range b.Low {
			if hi := b.High[i]; hi != 1 || lo != -1 && lo != 0 {
				c.warn("action number %d is in [%v, %v], learners like [-1, 1] best", i, lo, hi)
			}
		}
	}
	if d, ok := s.Action.(env.Discrete); ok && d.Start != 0 {
		c.warn("actions start at %d instead of 0", d.Start)
	}
}

// json writes the spec and reads it back.
func (c *checker) json(s *env.Spec) error {
	data, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("spec to JSON: %w", err)
	}
	var back env.Spec
	if err := json.Unmarshal(data, &back); err != nil {
		return fmt.Errorf("spec from JSON: %w", err)
	}
	if !env.EqualSpaces(s.Observation, back.Observation) || !env.EqualSpaces(s.Action, back.Action) {
		return fmt.Errorf("spec through JSON: spaces differ")
	}
	a, b := *s, back
	a.Observation, a.Action, b.Observation, b.Action = nil, nil, nil, nil
	a.Layout, a.Guide, a.Advice = layout.Observation{}, layout.Guide{}, nil // follow from the rest
	if !reflect.DeepEqual(a, b) {
		return fmt.Errorf("spec through JSON: %+v, expected %+v", b, a)
	}
	return nil
}
