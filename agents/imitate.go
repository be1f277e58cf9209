package agents

import (
	"slices"
	"strings"

	"tarry/agents/learn"
)

// Imitator is a Learner that can be given a warm start from demonstrations, before its first update.
type Imitator interface {
	// Imitate has a demonstrator act in the environments and learns what it does; watch is called for each
	// rollout, and each pass over what was demonstrated where there are any, and may end it with an error.
	Imitate(cfg Imitation, demo Demonstrator, watch func(Row) error) error
}

// Imitators lists the agents whose learners are Imitators.
func (c Catalogue) Imitators() []string {
	var out []string
	for _, e := range c {
		if e.Imitates {
			out = append(out, e.Name)
		}
	}
	return out
}

// Replayer is a Config whose learners keep demonstrations and learn from them throughout.
type Replayer interface {
	// Demonstrated has the settings for demonstrations spelled out, those that are not given by default.
	Demonstrated() Config
	// Demonstrates reports whether any is set.
	Demonstrates() bool
}

// demonstrates reports whether a setting is about demonstrations.
func demonstrates(given []Setting) bool {
	return slices.ContainsFunc(given, func(s Setting) bool { return strings.HasPrefix(s.Key, "demo_") })
}

// Imitation says how long a warm start lasts.
type Imitation = learn.Imitation

// Demonstrator writes the action that a known policy takes in environment i.
type Demonstrator = learn.Demonstrator
