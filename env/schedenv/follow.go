package schedenv

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarry/baselines/dally"
	"tarry/env"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Follower is a Scheduler that can tell what a baseline would do in the agent's place.
type Follower interface {
	Scheduler
	// Follow names the baseline, NAME or NAME:key=value,..., before the first instant. The error says
	// which can be followed.
	Follow(baseline string) error
	// Demonstrate writes the baseline's answer to the pending question.
	Demonstrate(v *sim.View, action []float64)
}

// Follow names the baseline whose answers Demonstrate gives. It is called before the first reset, and moves
// neither observations nor rewards.
func (e *Env) Follow(baseline string) error {
	fresh := e.from.fresh
	first, ok := fresh().(Follower)
	if !ok {
		return fmt.Errorf("%s: no baseline can be followed", e.spec.ID)
	}
	if err := first.Follow(baseline); err != nil {
		return fmt.Errorf("%s: %w", e.spec.ID, err)
	}
	e.from.fresh = func() Scheduler {
		s := fresh()
		if f, ok := s.(Follower); ok && f.Follow(baseline) == nil {
			return f
		}
		return s
	}
	return nil
}

// Demonstrate writes what the baseline of Follow would do now.
func (e *Env) Demonstrate(action []float64) error {
	s, ok := e.sched.(Follower)
	if !ok || !e.live {
		return fmt.Errorf("%s: demonstrate: %w", e.spec.ID, env.ErrResetNeeded)
	}
	s.Demonstrate(e.win.view, action)
	return nil
}

// CheckBaseline parses a baseline and says which can be followed if it is none of names.
func (c *Config) CheckBaseline(baseline string, names ...string) (fresh func() (sim.Policy, error), err error) {
	entry, fresh, err := c.Policies.Parse(baseline, cluster.BestFit)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(names, entry.Name) {
		return nil, fmt.Errorf("what %s would do cannot be read off at the agent's questions, expected one of %s", entry.Name, strings.Join(names, ", "))
	}
	return fresh, nil
}

// Delayed lists the baselines that have delay timers.
func Delayed() []string {
	return []string{"dally", "dally-manual", "dally-nowait", "dally-consolidated"}
}

// TimersOf gives the delay timers of one of Delayed. They count in its own leases; without one they are the
// environment's.
func (c *Config) TimersOf(baseline string) (dally.TimerSource, error) {
	name, settings, _ := strings.Cut(baseline, ":")
	if !param.Parse("", settings).Has("lease") && slices.Contains(Delayed(), name) {
		baseline = name + ":" + param.Override(settings, "lease="+strconv.FormatFloat(c.Dally.LeaseS, 'g', -1, 64))
	}
	fresh, err := c.CheckBaseline(baseline, Delayed()...)
	if err != nil {
		return nil, err
	}
	p, err := fresh()
	if err != nil {
		return nil, err
	}
	d, ok := p.(*dally.Policy)
	if !ok {
		return nil, fmt.Errorf("%s has no delay timers", baseline)
	}
	return d.Timers(), nil
}
