package simtest

import (
	"cmp"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Case is a line in a table of settings with which a policy conforms.
type Case struct {
	// Name is the subtest's; "" = the settings.
	Name string
	// Text has the settings, "key=value,...".
	Text string
	// Make makes the policy; nil = Conform's.
	Make func(*param.Set, cluster.Rule) (sim.Policy, error)
	Options
}

// Conform runs the conformance suite (Policy) with each case, as a subtest. Policies are made by
// make, with best fit, from the case's settings; kind is what errors call them.
func Conform(t *testing.T, kind string, make func(*param.Set, cluster.Rule) (sim.Policy, error), cases []Case) {
	t.Helper()
	for _, c := range cases {
		if c.Make == nil {
			c.Make = make
		}
		t.Run(cmp.Or(c.Name, c.Text), func(t *testing.T) { Policy(t, Build(t, kind, c.Make, c.Text), c.Options) })
	}
}

// Settings gives a case with these options for each of several settings.
func (o Options) Settings(texts ...string) []Case {
	cases := make([]Case, len(texts))
	for i, text := range texts {
		cases[i] = Case{Text: text, Options: o}
	}
	return cases
}

// Named gives a case with these options for each pair of a name and settings.
func (o Options) Named(pairs [][2]string) []Case {
	cases := make([]Case, len(pairs))
	for i, p := range pairs {
		cases[i] = Case{Name: p[0], Text: p[1], Options: o}
	}
	return cases
}
