package agents

import "tarry/agents/ppo"

// Imitator is a Learner that can be given a warm start by behaviour cloning, before its first update.
type Imitator interface {
	// Imitate has a demonstrator act in the environments and learns what it does; watch is told of each
	// rollout and may end it with an error.
	Imitate(cfg Imitation, demo Demonstrator, watch func(Row) error) error
}

// Imitates reports whether an agent's learners are Imitators.
func Imitates(agent string) bool { return agent == "ppo" }

// Imitation says how long a warm start lasts.
type Imitation = ppo.Imitation

// Demonstrator writes the action that a known policy takes in environment i.
type Demonstrator = ppo.Demonstrator
