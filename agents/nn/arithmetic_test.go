package nn

import (
	"strings"
	"testing"
)

// TestSameArithmetic: a run continues in a build of its own arithmetic alone.
func TestSameArithmetic(t *testing.T) {
	if err := SameArithmetic(Arithmetic()); err != nil {
		t.Errorf("this build's own: %v", err)
	}
	other := "openblas"
	if Arithmetic() == other {
		other = ""
	}
	if err := SameArithmetic(other); err == nil || !strings.Contains(err.Error(), `"openblas"`) ||
		!strings.Contains(err.Error(), `"exact"`) {
		t.Errorf("another one: %v, expected both by name", err)
	}
}
