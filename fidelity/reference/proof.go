package reference

import (
	"errors"
	"fmt"

	"tarry/internal/assign"
)

// Proof is an error unless dual values prove an optimum to 1e-9 of it.
func Proof(p assign.Proof, value float64) error {
	if p.Invalid != "" {
		return errors.New(p.Invalid)
	}
	if tol := 1e-9 * max(1, value, -value); !(p.Gap <= tol && p.Gap >= -tol && p.Violation <= tol) {
		return fmt.Errorf("the duals leave a gap of %v and violations of %v", p.Gap, p.Violation)
	}
	return nil
}
