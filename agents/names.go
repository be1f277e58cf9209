package agents

import (
	"tarry/agents/registry"
	"tarry/env"
)

// What an agent and an optimiser are, as agents/registry has it.
type (
	// Entry is one agent of a Catalogue.
	Entry = registry.Entry
	// Catalogue lists agents in the order in which they are shown.
	Catalogue = registry.Catalogue
	// Config is an agent with all its settings.
	Config = registry.Config
	// Extender is a Config whose runs can be made longer.
	Extender = registry.Extender
	// Replayer is a Config whose learners keep demonstrations and learn from them throughout.
	Replayer = registry.Replayer
	// Setting is one setting as it was given.
	Setting = registry.Setting
	// About is what a user needs to know of one setting.
	About = registry.About
	// Learner is a training run between two updates.
	Learner = registry.Learner
	// Imitator is a Learner that can be given a warm start from demonstrations, before its first
	// update.
	Imitator = registry.Imitator
	// Imitation says how long a warm start lasts.
	Imitation = registry.Imitation
	// Demonstrator writes the action that a known policy takes in environment i.
	Demonstrator = registry.Demonstrator
	// Row says how an update went.
	Row = registry.Row
	// Policy acts.
	Policy = registry.Policy
	// Optimiser is one method of a catalogue that looks for static parameters.
	Optimiser = registry.Optimiser
	// Optimisers is a catalogue of methods.
	Optimisers = registry.Optimisers
)

// ErrDiverged: a loss or a gradient is not a finite number. The weights are as before the
// update and can still be saved.
var ErrDiverged = registry.ErrDiverged

// Put is registry.Put: it sets fields of a struct by the names of its JSON.
func Put(to any, given []Setting) error { return registry.Put(to, given) }

// Keys is registry.Keys: what Put can set in a struct.
func Keys(of any) []string { return registry.Keys(of) }

// Describe is registry.Describe: the settings of a struct, with their meanings, ranges and
// defaults.
func Describe(of any) []About { return registry.Describe(of) }

// Vector is registry.Vector: the parameters of a policy that is a vector for an environment.
func Vector(p Policy) ([]float64, bool) { return registry.Vector(p) }

// Bind is registry.Bind: it has an environment say what the numbers of a policy mean.
func Bind(p Policy, e env.Env) error { return registry.Bind(p, e) }
