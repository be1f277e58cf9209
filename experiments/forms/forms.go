// Package forms gives the schedulers that questions hold against Dally in more forms than one.
// Where a question has seeds of validation, one form of each is chosen on these
// (digest.Book.Chosen); where it has windows of validation, a sweep of kind tune chooses on them
// (Choice).
package forms

import (
	"slices"

	"tarry/experiments/sweep"
)

// Places lists the rules of places that orders without one of their own can take
// (sim/plan/places): any, which is the plain form, consolidation, and delay timers of six hours.
func Places() []string { return []string{"any", "consolidate", "delay"} }

// Placed lists such orders, each with every rule of places: a family of forms each, the plain form
// first.
func Placed(policies ...string) [][]string {
	out := make([][]string, len(policies))
	for i, p := range policies {
		out[i] = []string{p}
		for _, place := range Places()[1:] {
			out[i] = append(out[i], p+":place="+place)
		}
	}
	return out
}

// Choice is the parameter of a sweep of kind tune whose optimiser, grid, tries every rule of
// places, so that validation chooses among them.
func Choice() sweep.Settings {
	var all []any
	for _, place := range Places() {
		all = append(all, place)
	}
	return sweep.Settings{"place": all}
}

// Names lists all forms of all families.
func Names(families [][]string) []string { return slices.Concat(families...) }

// first is the first seed of validation. Seeds of tables are smaller.
const first = 1001

// Validation gives n seeds of validation.
func Validation(n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = first + uint64(i)
	}
	return out
}

// Validates reports whether a cell has a seed of validation.
func Validates(c *sweep.Cell) bool { return c.Seed >= first }
