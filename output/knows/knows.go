// Package knows marks clairvoyant policies: policies that read the work that is left, which is not
// known outside a simulation. Tables, legends and pages put the mark behind the name and the key
// below.
package knows

import (
	"slices"
	"strings"

	"tarry/output/results"
	"tarry/sim/entry"
	"tarry/sim/know"
)

// Mark is put behind a name, Key explains it.
const (
	Mark = "*"
	Key  = "* knows the work that is left (clairvoyant)"
)

// Clairvoyant reads the column knows of the tables trials and evals.
func Clairvoyant(column string) bool {
	return slices.Contains(strings.Split(column, "+"), know.Work.String())
}

// Marked is a name, with the mark behind it if the column knows notes it.
func Marked(name, column string) string {
	if Clairvoyant(column) {
		return name + Mark
	}
	return name
}

// Row reports whether the policy of a row is clairvoyant. A row of an earlier version does not
// state what it read: a policy of from is then asked by its name, and anything else counts as not
// clairvoyant; nil = everything does.
func Row(s *results.Summary, policy string, from entry.Policies) bool {
	if s.Knows != "" {
		return Clairvoyant(s.Knows)
	}
	policy, _, _ = strings.Cut(policy, "@") // two runs of tarry tune that chose the same
	k, err := from.Knows(policy)
	return err == nil && k.Clairvoyant()
}
