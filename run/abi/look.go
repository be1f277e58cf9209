package abi

import (
	"errors"
	"fmt"

	"tarry/env"
	"tarry/env/trait"
	"tarry/run/pypolicy"
	"tarry/sim/know"
)

// Watch gives a session to look at environment i with, by the named permissions.
func (g *Group) Watch(i int, names []string) (found *pypolicy.Session, s Status) {
	s = g.guarded(Refused, func() error {
		v, err := g.viewed(i)
		if err != nil {
			return err
		}
		knows, err := know.Parse(names)
		if err != nil {
			return err
		}
		if more := knows &^ v.Knows(); more != 0 {
			return fmt.Errorf("permissions %s: %s keeps them from what acts in it, expected some of %s", more, g.spec.ID,
				v.Knows())
		}
		found = pypolicy.NewLook(knows)
		return nil
	})
	return found, s
}

// Look opens the session on the present state of environment i.
func (g *Group) Look(i int, s *pypolicy.Session) Status {
	return g.guarded(Refused, func() error {
		v, err := g.viewed(i)
		if err == nil {
			s.Look(v.View())
		}
		return err
	})
}

// viewed is environment i as a run of the simulator.
func (g *Group) viewed(i int) (trait.Viewed, error) {
	if i < 0 || i >= len(g.envs) {
		return nil, fmt.Errorf("environment %d, expected 0 to %d", i, len(g.envs)-1)
	}
	v, ok := env.Find[trait.Viewed](g.envs[i])
	if !ok {
		return nil, errors.New(g.spec.ID + " has no cluster to look at, expected an environment over the simulator")
	}
	if v.View() == nil {
		return nil, fmt.Errorf("%s: %w", g.spec.ID, env.ErrResetNeeded)
	}
	return v, nil
}
