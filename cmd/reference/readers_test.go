package main

import (
	"slices"
	"testing"

	"tarry/catalogue/policies"
	"tarry/fidelity/reference"
	"tarry/sim/entry"
)

// TestVariants: each variant with another simulator's habits is compared with that simulator.
func TestVariants(t *testing.T) {
	for _, e := range policies.Variants() {
		if !slices.ContainsFunc(readers(), func(r reference.Reader) bool { return slices.Contains(r.Variants, e.Name) }) {
			t.Errorf("%s is compared with no results", e.Name)
		}
	}
	for _, r := range readers() {
		for _, name := range r.Variants {
			if !slices.ContainsFunc(policies.Variants(), func(e entry.Policy) bool { return e.Name == name }) {
				t.Errorf("%s is no variant of the catalogue", name)
			}
		}
	}
}
