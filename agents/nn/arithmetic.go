package nn

import (
	"fmt"

	"tarry/internal/matrix"
)

// Arithmetic names how this build computes products of matrices: "" is the default, whose bits are
// the same on every processor.
func Arithmetic() string {
	if matrix.Arithmetic == matrix.Exact {
		return ""
	}
	return matrix.Arithmetic
}

// SameArithmetic is an error if a run was computed with another arithmetic than this build's: it
// would not end in the same bytes.
func SameArithmetic(was string) error {
	if was == Arithmetic() {
		return nil
	}
	name := func(a string) string {
		if a == "" {
			return matrix.Exact
		}
		return a
	}
	return fmt.Errorf("the run was computed with arithmetic %q, this program has %q: resume it with a program of "+
		"that build (docs/explain/arithmetic.md)", name(was), name(Arithmetic()))
}
