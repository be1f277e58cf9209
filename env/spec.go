package env

import (
	"fmt"

	"tarry/env/layout"
)

// Spec describes an environment. It survives JSON, but for Notes, Layout, Guide and Advice, which follow
// from the others: what is read back equals what was written.
type Spec struct {
	// ID names it, "namespace/Name-vN"; the version rises whenever results change.
	ID string `json:"id"`
	// Options are the settings it was made with, "key=value,..."; "" = all as documented.
	Options string `json:"options,omitempty"`
	// Observation and Action are its spaces.
	Observation Space `json:"observation"`
	Action      Space `json:"action"`
	// Masked: Info.Mask states which actions are legal.
	Masked bool `json:"masked,omitempty"`
	// Metrics names the entries of Info.Metrics.
	Metrics []string `json:"metrics,omitempty"`
	// MaxSteps is after how many actions an episode is truncated; 0 = never.
	MaxSteps int `json:"max_steps,omitempty"`
	// RewardThreshold is the mean return from which it counts as solved; 0 = none is stated.
	RewardThreshold float64 `json:"reward_threshold,omitempty"`
	// Wrappers are the layers around it, innermost first, each with its settings.
	Wrappers []string `json:"wrappers,omitempty"`
	// Notes are remarks on the settings it was made with, such as a type of GPU without a speed;
	// nil = none. JSON leaves them out.
	Notes []string `json:"-"`
	// Layout states what the numbers of an observation are; the zero value states nothing of them.
	Layout layout.Observation `json:"-"`
	// Guide states in words what actions, rewards and episodes are.
	Guide layout.Guide `json:"-"`
	// Advice is what learners should start from; nil = their own defaults.
	Advice Advice `json:"-"`
}

// List gives the list on which actions act; nil where there is none. The error states how Layout
// contradicts the spaces.
func (s *Spec) List() (*layout.List, error) {
	if len(s.Layout.Segments) == 0 {
		return nil, nil
	}
	if err := s.Layout.Validate(s.Observation.Len()); err != nil {
		return nil, fmt.Errorf("%s: layout: %w", s.ID, err)
	}
	last := s.Layout.Segments[len(s.Layout.Segments)-1]
	l := &layout.List{Global: s.Observation.Len() - last.Len(), Features: len(last.Features)}
	d, discrete := s.Action.(Discrete)
	_, box := s.Action.(Box)
	switch n := s.Action.Len(); {
	case s.Layout.Acts == layout.OnAll:
		return nil, nil
	case s.Layout.Acts == layout.OnOne && discrete && d.N >= last.Items*max(1, s.Layout.Choices):
		l.Extra, l.Choices, l.Present = d.N-last.Items*max(1, s.Layout.Choices), s.Layout.Choices, s.Layout.Present
	case s.Layout.Acts == layout.OnEach && discrete && last.Items == 1:
		l.Each = d.N
	case s.Layout.Acts == layout.OnEach && box && n > 0 && n%last.Items == 0:
		l.Each = n / last.Items
	default:
		return nil, fmt.Errorf("%s: layout: acts is %q on %d items with actions %s, expected \"\", \"one\" with as "+
			"many choices, or \"each\" with numbers for each",
			s.ID, s.Layout.Acts, last.Items, Describe(s.Action))
	}
	if l.Ranks = s.Layout.Ranks; l.Ranks && (!box || l.Each != 1) {
		return nil, fmt.Errorf("%s: layout: ranks is true with actions %s on %d items, expected a Box with one "+
			"number for each", s.ID, Describe(s.Action), last.Items)
	}
	return l, nil
}

// About is what the environment states in words.
func (s *Spec) About() layout.About {
	a := layout.About{Observation: s.Layout.Rows(), Action: s.Guide.Action, Masked: s.Masked, Reward: s.Guide.Reward,
		Ends: s.Guide.Ends}
	if s.MaxSteps > 0 {
		a.Ends += fmt.Sprintf("; truncated after %d steps", s.MaxSteps)
	}
	return a
}

// Advice has settings with which learners do well on an environment: by the learner's name, then by
// the setting's key. A value is what JSON makes of it: a number, true or false, a text, or a slice.
// Of a learner that it does not name nothing is known.
type Advice map[string]map[string]any
