// Package registry states what a learning algorithm is to the code that runs it: its entry in a
// catalogue, its settings, its learners and its frozen policies, and the same for optimisers. Code
// that looks a name up imports this package and no agent; catalogue/agents lists the agents that
// tarry ships.
//
// Reading guide. Catalogue lists entries; Config is an agent's settings with their keys
// (settings.go); Learner is a run between two updates, Policy what is left of it when it is frozen.
// Some configs are also an Extender (extend.go) or a Replayer, some learners an Imitator
// (imitate.go). Optimisers look for static parameters (optimisers.go).
package registry

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"tarry/env"
	"tarry/sim/param"
)

// Learner is a training run between two updates. It belongs to one goroutine.
type Learner interface {
	// Update makes one update.
	Update() (Row, error)
	// Done reports whether all updates were made.
	Done() bool
	// Save gives everything that the run needs to continue to the same bytes.
	Save() ([]byte, error)
	// Policy is the policy under training; it changes with each update.
	Policy() Policy
	// Close lets go of the environments.
	Close() error
}

// Policy acts. It serves one goroutine.
type Policy interface {
	// Act writes the action for an observation to dst: a random one if r is a stream, the most
	// likely one if r is nil. mask is nil where actions are not masked.
	Act(dst, obs []float64, mask []bool, r *rand.Rand) error
	// Fork gives a policy over the same weights for another goroutine.
	Fork() Policy
}

// Entry is one agent of the catalogue.
type Entry struct {
	// Name is what users write.
	Name string
	// Doc is one line on what it does.
	Doc string
	// Paper is where it was published.
	Paper string
	// Keys names its settings.
	Keys []string
	// Defaults are its settings with their values where an environment has no others: a struct
	// whose fields have names of JSON and the tags about and range, as Describe reads them.
	Defaults any
	// Imitates states that its learners are Imitators.
	Imitates bool
	// Configure gives the settings for an environment: what its Spec advises, then the settings
	// that are given; without a Spec (nil) the defaults stand in for the advice. The error joins
	// every fault.
	Configure func(s *env.Spec, seed uint64, given []Setting) (Config, error)
	// Load takes the frozen policy out of what a learner saved, for environments of a spec.
	Load func(saved []byte, spec *env.Spec) (Policy, error)
}

// Config is an agent with all its settings.
type Config interface {
	// JSON spells them out.
	JSON() ([]byte, error)
	// Updates is how many updates a run has, 0 = that depends on how long episodes are; Steps how
	// many environment steps, Envs how many environments are stepped together.
	Updates() int
	Steps() int
	Envs() int
	// New starts a run over environments from make; the number of workers does not change the
	// result.
	New(workers int, make func(i int) (env.Env, error)) (Learner, error)
	// Resume continues a saved one.
	Resume(workers int, make func(i int) (env.Env, error), saved []byte) (Learner, error)
}

// Catalogue lists agents in the order in which they are shown. catalogue/agents has what tarry
// ships; a program may append its own.
type Catalogue []Entry

// Find gives an entry by name.
func (c Catalogue) Find(name string) (Entry, error) {
	var names []string
	for _, e := range c {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	if alone, rest, ok := strings.Cut(name, ":"); ok && slices.Contains(names, alone) {
		return Entry{}, fmt.Errorf("agent %q: expected the name %s alone, and its settings apart: --set %s", name, alone,
			rest)
	}
	return Entry{}, fmt.Errorf("agent %q: unknown, expected one of %s%s", name, strings.Join(names, ", "),
		param.Hint(name, names))
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
