package release

import (
	"strings"
	"testing"

	"tarry/internal/matrix"
)

// TestArithmeticIsInTheVersion: the default adds nothing, another arithmetic its name.
func TestArithmeticIsInTheVersion(t *testing.T) {
	if got := suffix(matrix.Exact); got != "" {
		t.Errorf("the default adds %q, expected nothing", got)
	}
	if got := suffix("openblas"); got != "+openblas" {
		t.Errorf("OpenBLAS adds %q, expected +openblas", got)
	}
	v := Build(func() string { return "id" })
	if strings.HasSuffix(v, "+"+matrix.Arithmetic) != (matrix.Arithmetic != matrix.Exact) {
		t.Errorf("version %q of a build with arithmetic %q", v, matrix.Arithmetic)
	}
}
