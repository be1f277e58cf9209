package agents

import (
	"slices"
	"strings"
	"tarry/agents/registry"
)

// demonstrates reports whether a setting is about demonstrations.
func demonstrates(given []registry.Setting) bool {
	return slices.ContainsFunc(given, func(s registry.Setting) bool { return strings.HasPrefix(s.Key, "demo_") })
}
