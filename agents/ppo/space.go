package ppo

import (
	"fmt"
	"math"

	"tarry/env"
	"tarry/internal/nn"
)

// layout says how the numbers of an environment's action and mask are to be read.
type layout struct {
	obs    int       // numbers in an observation
	action int       // numbers in an action
	sizes  []int     // choices of each component; empty for continuous actions
	starts []float64 // what the first choice of each component is called
	masked bool
	low    []float64 // bounds of continuous actions
	high   []float64
}

// logits is the number of the actor's outputs.
func (l *layout) logits() int {
	if l.continuous() {
		return l.action
	}
	n := 0
	for _, s := range l.sizes {
		n += s
	}
	return n
}

// maskLen is the number of a mask's entries, 0 if there is no mask.
func (l *layout) maskLen() int {
	if l.masked {
		return l.logits()
	}
	return 0
}

func (l *layout) continuous() bool { return len(l.sizes) == 0 }

// newLayout reads a spec; it accepts Discrete, MultiDiscrete and bounded Box actions.
func newLayout(s *env.Spec) (layout, error) {
	l := layout{obs: s.Observation.Len(), action: s.Action.Len(), masked: s.Masked}
	switch a := s.Action.(type) {
	case env.Discrete:
		l.sizes, l.starts = []int{a.N}, []float64{float64(a.Start)}
	case env.MultiDiscrete:
		l.sizes, l.starts = a.N, make([]float64, len(a.N))
	case env.Box:
		l.low, l.high = a.Low, a.High
		for i := range a.Low {
			if math.IsInf(a.Low[i], 0) || math.IsInf(a.High[i], 0) || a.Low[i] >= a.High[i] {
				return l, fmt.Errorf("ppo: %s: action %d is bounded by [%g, %g], expected finite bounds, the first smaller", s.ID, i, a.Low[i], a.High[i])
			}
		}
		l.masked = false
	default:
		return l, fmt.Errorf("ppo: %s: actions are a %T, expected Discrete, MultiDiscrete or Box", s.ID, s.Action)
	}
	return l, nil
}

// setShape fits the configured candidates to an environment.
func (l *layout) setShape(id string, c *Candidates) (nn.SetShape, error) {
	s := nn.SetShape{Global: c.Global, Features: c.Features, Extra: c.Extra, Slots: (l.obs - c.Global) / c.Features}
	if len(l.sizes) != 1 || s.Slots < 1 || s.In() != l.obs || s.Choices() != l.logits() {
		return s, fmt.Errorf("ppo: %s: %d observation entries and choices %v do not fit %d global entries, candidates of %d features and %d extra choices",
			id, l.obs, l.sizes, c.Global, c.Features, c.Extra)
	}
	return s, nil
}
