package model

import (
	"fmt"
	"slices"
	"strings"

	"tarry/env"
	"tarry/sim/param"
)

// Rules lists the names of the rules.
func (e *Env[M]) Rules() []string {
	var out []string
	for _, r := range e.cfg.Rules {
		out = append(out, r.Name)
	}
	return out
}

// Follow names the rule that Demonstrate follows; it is asked in every question from the next reset
// on, so that its memory does not depend on who acts.
func (e *Env[M]) Follow(rule string) error {
	names := e.Rules()
	i := slices.Index(names, rule)
	if i < 0 {
		return fmt.Errorf("%s: rule %q: unknown, expected one of %s%s", e.spec.ID, rule, strings.Join(names, ", "),
			param.Hint(rule, names))
	}
	e.rule, e.live, e.begun = i, false, false
	return nil
}

// Demonstrate writes what the followed rule does now.
func (e *Env[M]) Demonstrate(action []float64) error {
	switch {
	case e.rule < 0:
		return fmt.Errorf("%s: no rule is followed, expected Follow before Demonstrate", e.spec.ID)
	case !e.live:
		return fmt.Errorf("%s: demonstrate: %w", e.spec.ID, env.ErrResetNeeded)
	}
	copy(action, e.advice)
	return nil
}
