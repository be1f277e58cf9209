package registry

import "tarry/agents/learn"

// Imitator is a Learner that can be given a warm start from demonstrations, before its first update.
type Imitator interface {
	// Imitate has a demonstrator act in the environments and learns what it does; watch is called for each
	// rollout, and each pass over what was demonstrated where there are any, and may end it with an error.
	Imitate(cfg Imitation, demo Demonstrator, watch func(Row) error) error
}

// Replayer is a Config whose learners keep demonstrations and learn from them throughout.
type Replayer interface {
	// Demonstrated has the settings for demonstrations spelled out, those that are not given by default.
	Demonstrated() Config
	// Demonstrates reports whether any is set.
	Demonstrates() bool
}

// Imitation says how long a warm start lasts.
type Imitation = learn.Imitation

// Demonstrator writes the action that a known policy takes in environment i.
type Demonstrator = learn.Demonstrator
