package shares

import (
	"fmt"
	"slices"
	"strings"

	"tarry/sim/param"
)

// Rule gives out GPUs worker by worker.
type Rule struct {
	// Name is unique among the rules of an environment, Doc ends "a worker goes to the job with ...".
	Name, Doc string
	// Score is of the job that might get a worker, of which the least gets it; false = it gets none.
	Score func(x *Share) (least float64, ok bool)
}

// Rules are the rules of an environment, the default first.
type Rules []Rule

// ByGain gives to the job whose work left shrinks by the largest part.
func ByGain() Rule {
	return Rule{"gain", "the largest part of its work left that one worker more does in a time, for its GPUs",
		func(x *Share) (float64, bool) { return -x.Faster() / x.Left, x.Faster() > 0 }}
}

// ByCount gives to the job that has least.
func ByCount() Rule {
	return Rule{"fair", "the fewest GPUs, ties to the earlier",
		func(x *Share) (float64, bool) { return float64(x.Count), x.Count == 0 || x.Faster() > 0 }}
}

// Names lists the names of the rules.
func (r Rules) Names() []string {
	var out []string
	for i := range r {
		out = append(out, r[i].Name)
	}
	return out
}

// Doc explains the rules.
func (r Rules) Doc() string {
	var out []string
	for i := range r {
		out = append(out, r[i].Name+": "+r[i].Doc)
	}
	return strings.Join(out, " | ")
}

// Named finds a rule.
func (r Rules) Named(name string) (Rule, error) {
	i := slices.IndexFunc(r, func(r Rule) bool { return r.Name == name })
	if i < 0 {
		return Rule{}, fmt.Errorf("rule is %q, expected one of %s%s", name, strings.Join(r.Names(), ", "),
			param.Hint(name, r.Names()))
	}
	return r[i], nil
}
