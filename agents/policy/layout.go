package policy

import (
	"fmt"
	"math"

	"tarry/agents/nn"
	"tarry/env"
)

// Layout states how the numbers of an environment's action and mask are to be read.
type Layout struct {
	// Obs and Action are how many numbers an observation and an action have. CriticOnly of an
	// observation's numbers, the first, are for the critic alone.
	Obs, Action, CriticOnly int
	// Sizes are the choices of each component; empty for continuous actions.
	Sizes []int
	// Masked states that there is a mask. Continuous actions have none.
	Masked bool

	starts    []float64 // what the first choice of each component is called
	low, high []float64 // bounds of continuous actions
}

// Logits is the number of the actor's outputs: one per choice, or per continuous number.
func (l *Layout) Logits() int {
	if l.Continuous() {
		return l.Action
	}
	n := 0
	for _, s := range l.Sizes {
		n += s
	}
	return n
}

// MaskLen is the number of a mask's entries, 0 if there is no mask.
func (l *Layout) MaskLen() int {
	if l.Masked {
		return l.Logits()
	}
	return 0
}

// Continuous reports whether actions are numbers instead of choices.
func (l *Layout) Continuous() bool { return len(l.Sizes) == 0 }

// newLayout reads a spec; it accepts Discrete, MultiDiscrete and bounded Box actions.
func newLayout(s *env.Spec) (Layout, error) {
	l := Layout{Obs: s.Observation.Len(), Action: s.Action.Len(), Masked: s.Masked}
	switch a := s.Action.(type) {
	case env.Discrete:
		l.Sizes, l.starts = []int{a.N}, []float64{float64(a.Start)}
	case env.MultiDiscrete:
		l.Sizes, l.starts = a.N, make([]float64, len(a.N))
	case env.Box:
		l.low, l.high = a.Low, a.High
		for i := range a.Low {
			if math.IsInf(a.Low[i], 0) || math.IsInf(a.High[i], 0) || a.Low[i] >= a.High[i] {
				return l, fmt.Errorf("%s: action %d is bounded by [%g, %g], expected finite bounds, the first smaller",
					s.ID, i, a.Low[i], a.High[i])
			}
		}
		l.Masked = false
	default:
		return l, fmt.Errorf("the actions of %s are %s, expected Discrete, MultiDiscrete or Box", s.ID,
			env.Describe(s.Action))
	}
	return l, nil
}

// Candidates is the layout of an observation that lists candidates or classes: Global numbers
// about the whole, then as many blocks of Features numbers as there is room for. Of candidates, the
// action is one of Extra choices (0 up), or one of the Choices (0 = 1) of a block (Extra up, block by
// block). With Present the first feature of a block is 0 where there is none; else a block takes part
// where one of its choices is legal. Of classes, each block has
// Each numbers of a continuous action; a single block has all choices of a discrete one. How many
// blocks there are follows from the environment, so trained weights serve any number of them.
type Candidates struct {
	Global   int `json:"global"`
	Features int `json:"features"`
	Extra    int `json:"extra,omitempty"`
	Each     int `json:"each,omitempty"`

	Choices int  `json:"choices,omitempty"`
	Present bool `json:"present,omitempty"`
}

// shape returns the shape of a set network with some slots.
func (c *Candidates) shape(slots int) nn.SetShape {
	return nn.SetShape{Global: c.Global, Slots: slots, Features: c.Features, Extra: c.Extra, Each: max(c.Each, c.Choices),
		Present: c.Present}
}

// several states how many choices a block has, if not one.
func (c *Candidates) several() string {
	if c.Choices < 2 {
		return ""
	}
	return fmt.Sprintf(", %d choices each", c.Choices)
}

// setShape fits the configured candidates or classes to an environment.
func (l *Layout) setShape(id string, c *Candidates) (nn.SetShape, error) {
	s := c.shape((l.Obs - c.Global) / c.Features)
	if c.Each > 0 {
		fits := l.Continuous() || len(l.Sizes) == 1 && s.Slots == 1
		if !fits || l.Masked || s.Slots < 1 || s.In() != l.Obs || s.Choices() != l.Logits() {
			return s, fmt.Errorf("%s: %d observation entries and %d numbers or choices of the action do not fit %d "+
				"global entries and classes of %d features and %d each",
				id, l.Obs, l.Logits(), c.Global, c.Features, c.Each)
		}
		return s, nil
	}
	if len(l.Sizes) != 1 || s.Slots < 1 || s.In() != l.Obs || s.Choices() != l.Logits() {
		return s, fmt.Errorf("%s: %d observation entries and choices %v do not fit %d global entries, candidates of "+
			"%d features and %d extra choices%s",
			id, l.Obs, l.Sizes, c.Global, c.Features, c.Extra, c.several())
	}
	return s, nil
}
