// Package parts holds the catalogues that a run names: policies, trace formats, speed models,
// environments, agents and optimisers. They go from the command down to the code that looks a name
// up, as a value.
//
// Reading guide. Catalogues is the value; its methods hand parts of it further down.
package parts

import (
	"errors"
	"fmt"

	agents "tarry/agents/registry"
	"tarry/env/registry"
	"tarry/sim/entry"
)

// Catalogues are the things that a run can name. The zero value has no name.
type Catalogues struct {
	// Policies, Traces, Speeds, Layers, Predictors and Operators are what is simulated.
	entry.Catalogues
	// Envs are the environments of --env, Agents the learners of --agent, Optimisers the methods of
	// tarry tune.
	Envs       registry.Catalogue
	Agents     agents.Catalogue
	Optimisers agents.Optimisers
}

// Maker gives a new Maker of the environments.
func (c *Catalogues) Maker() *registry.Maker { return registry.NewMaker(c.Envs, c.Catalogues) }

// Validate reports every entry that no text can name: one without a name or a constructor, and one
// whose name another entry of its catalogue has.
func (c *Catalogues) Validate() error {
	var errs []error
	policies, traces, speeds, predictors, environments, learners, optimisers := names{what: "policy"},
		names{what: "trace format"}, names{what: "speed model"}, names{what: "predictor"},
		names{what: "environment"}, names{what: "agent"}, names{what: "optimiser"}
	layers, operators := names{what: "layer"}, names{what: "operator"}
	for _, e := range c.Layers {
		errs = append(errs, layers.add(e.Name, e.New != nil && e.Name != "none"))
	}
	for _, e := range c.Policies {
		errs = append(errs, policies.add(e.Name, e.New != nil))
	}
	for _, e := range c.Traces {
		errs = append(errs, traces.add(e.Name, e.Open != nil))
	}
	for _, e := range c.Speeds {
		errs = append(errs, speeds.add(e.Name, e.New != nil))
	}
	for _, e := range c.Predictors {
		errs = append(errs, predictors.add(e.Name, e.New != nil))
	}
	for _, e := range c.Operators {
		errs = append(errs, operators.add(e.Name, e.New != nil))
	}
	for _, e := range c.Envs {
		errs = append(errs, environments.add(e.ID, e.New != nil))
	}
	for _, e := range c.Agents {
		errs = append(errs, learners.add(e.Name, e.Configure != nil && e.Load != nil && e.Defaults != nil))
	}
	for _, e := range c.Optimisers {
		errs = append(errs, optimisers.add(e.Name, e.New != nil))
	}
	return errors.Join(errs...)
}

// names are the names of one catalogue so far.
type names struct {
	what string
	n    int
	seen map[string]int
}

// add reports what is wrong with the next entry.
func (s *names) add(name string, complete bool) error {
	s.n++
	was := s.seen[name]
	if s.seen == nil {
		s.seen = map[string]int{}
	}
	s.seen[name] = s.n
	switch {
	case name == "":
		return fmt.Errorf("catalogue: %s %d has no name", s.what, s.n)
	case was > 0:
		return fmt.Errorf("catalogue: two entries are called %s %q (%d and %d), expected different names", s.what,
			name, was, s.n)
	case !complete:
		return fmt.Errorf("catalogue: %s %q has no constructor", s.what, name)
	}
	return nil
}
