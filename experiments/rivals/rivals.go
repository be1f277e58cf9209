// Package rivals gives the schedulers that questions hold against Dally in more forms than one, and the seeds of validation on which one form of
// each is chosen (digest.Book.Chosen).
package rivals

import (
	"slices"

	"tarry/experiments/sweep"
)

// Placed lists orders that say nothing of places, each as it is, with consolidation and with delay timers of six hours (sim/plan/places): a
// family of forms each, the plain form first.
func Placed(policies ...string) [][]string {
	out := make([][]string, len(policies))
	for i, p := range policies {
		out[i] = []string{p, p + ":place=consolidate", p + ":place=delay"}
	}
	return out
}

// Names lists all forms of all families.
func Names(families [][]string) []string { return slices.Concat(families...) }

// first is the first seed of validation. Seeds of tables are smaller.
const first = 1001

// Seeds gives as many seeds for tables, from 1, and for validation, from 1001.
func Seeds(tables, validation int) []uint64 {
	return slices.Concat(sweep.FirstSeeds(tables), Validation(validation))
}

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
