package release

import (
	"runtime/debug"
	"strings"

	"tarry/internal/matrix"
)

// Build is what results have as their version: the module's version as the build recorded it: a
// release, or the commit with its time. A build of changed or unrecorded code adds its code id,
// which the caller finds (CodeID): results of other code are then never taken for its own, since a
// finished trial is only kept when its version is the program's. So does a build whose
// products are not the exact ones (docs/explain/arithmetic.md): it adds what computes them.
func Build(codeID func() string) string {
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	if v == "(devel)" || strings.HasSuffix(v, "+dirty") {
		if id := codeID(); id != "" {
			v += "." + id
		}
	}
	return v + suffix(matrix.Arithmetic)
}

// suffix is what an arithmetic adds to the version of a build.
func suffix(arithmetic string) string {
	if arithmetic == matrix.Exact {
		return ""
	}
	return "+" + arithmetic
}
