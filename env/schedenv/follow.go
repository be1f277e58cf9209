package schedenv

import (
	"fmt"
	"slices"
	"strings"

	"tarry/env"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// follower is a Scheduler that can compute what a baseline would do in the agent's place.
type follower interface {
	Scheduler
	// Follow names the baseline, NAME or NAME:key=value,..., before the first instant. The error
	// states which can be followed.
	Follow(baseline string) error
	// Demonstrate writes the baseline's answer to the pending question.
	Demonstrate(v *sim.View, action []float64)
}

// Follow names the baseline whose answers Demonstrate gives. It is called before the first reset,
// and moves neither observations nor rewards.
func (e *Env) Follow(baseline string) error {
	fresh := e.from.fresh
	first, ok := fresh().(follower)
	if !ok {
		return fmt.Errorf("%s: no baseline can be followed", e.spec.ID)
	}
	if err := first.Follow(baseline); err != nil {
		return fmt.Errorf("%s: %w", e.spec.ID, err)
	}
	e.from.fresh = func() Scheduler {
		s := fresh()
		if f, ok := s.(follower); ok && f.Follow(baseline) == nil {
			return f
		}
		return s
	}
	return nil
}

// Demonstrate writes what the baseline of Follow would do now.
func (e *Env) Demonstrate(action []float64) error {
	s, ok := e.sched.(follower)
	if !ok || !e.live {
		return fmt.Errorf("%s: demonstrate: %w", e.spec.ID, env.ErrResetNeeded)
	}
	s.Demonstrate(e.win.view, action)
	return nil
}

// CheckBaseline parses a baseline that has delay timers, in leases of the environment where it has
// a lease and none is given, or that is one of names. The error states which can be followed.
func (c *Config) CheckBaseline(baseline string, names ...string) (sim.Policy, error) {
	entry, fresh, err := c.inLeases(baseline)
	if err != nil {
		return nil, err
	}
	p, err := fresh()
	switch {
	case err != nil:
		return nil, err
	case c.timersIn(p) == nil && !slices.Contains(names, entry.Name):
		return nil, fmt.Errorf("what %s would do cannot be read off at the agent's questions, expected one of %s",
			baseline, strings.Join(append(c.delayed(), names...), ", "))
	}
	return p, nil
}

// TimersOf gives the delay timers of a baseline that has some, for the cluster; see CheckBaseline.
func (c *Config) TimersOf(baseline string) (plan.TimerSource, error) {
	p, err := c.CheckBaseline(baseline)
	if err != nil {
		return nil, err
	}
	return c.timersIn(p), nil
}

// timersIn gives the delay timers that a policy offers; nil = none.
func (c *Config) timersIn(p sim.Policy) plan.TimerSource {
	if t, ok := p.(plan.Timed); ok {
		return t.OwnTimers(c.Topology)
	}
	return nil
}

// delayed lists the policies of the catalogue that have delay timers as they stand.
func (c *Config) delayed() []string {
	var out []string
	for _, e := range c.Policies {
		if _, fresh, err := c.Policies.Parse(e.Name, cluster.BestFit); err == nil {
			if p, err := fresh(); err == nil && c.timersIn(p) != nil {
				out = append(out, e.Name)
			}
		}
	}
	return out
}
