package agents

import (
	"slices"
	"strings"
)

// demonstrates reports whether a setting is about demonstrations.
func demonstrates(given []Setting) bool {
	return slices.ContainsFunc(given, func(s Setting) bool { return strings.HasPrefix(s.Key, "demo_") })
}
