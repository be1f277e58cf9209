package protocol

import (
	"fmt"
	"strings"

	"tarry/sim"
	"tarry/sim/know"
)

// Rule is a fixed way to answer the pending question of a scheduler S.
type Rule[S any] struct {
	// Name is unique among the rules of an environment.
	Name string
	// Doc states whom it starts, and where.
	Doc string
	// Knows is what Choose reads of jobs.
	Knows know.Set
	// Choose gives the choice. It may change nothing.
	Choose func(s S, v *sim.View) int
}

// Rules are the rules of an environment, the default first.
type Rules[S any] []Rule[S]

// Names lists the names.
func (r Rules[S]) Names() (out []string) {
	for i := range r {
		out = append(out, r[i].Name)
	}
	return out
}

// Doc explains the rules.
func (r Rules[S]) Doc() string {
	var out []string
	for i := range r {
		out = append(out, r[i].Name+": "+r[i].Doc)
	}
	return strings.Join(out, " | ")
}

// Named finds a rule; nil = there is none of the name.
func (r Rules[S]) Named(name string) *Rule[S] {
	for i := range r {
		if r[i].Name == name {
			return &r[i]
		}
	}
	return nil
}

// Followed finds a rule by its name, or as the policy of the environment has it. The error states which
// there are.
func (r Rules[S]) Followed(policy, name string) (*Rule[S], error) {
	found := r.Named(strings.TrimPrefix(name, policy+":rule="))
	if found == nil {
		return nil, fmt.Errorf("%s cannot be followed, expected one of %s", name, strings.Join(r.Names(), ", "))
	}
	return found, nil
}

// Write writes the rule's choice; 0 of no rule.
func (r *Rule[S]) Write(action []float64, s S, v *sim.View) {
	if action[0] = 0; r != nil {
		action[0] = float64(r.Choose(s, v))
	}
}
