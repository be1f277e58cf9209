package sweep

import (
	"slices"
	"strings"

	"tarry/sim/param"
)

// Exchange translates the options of one environment to another's, as the setting set of evaluate
// takes them: what differs, and without a value what the other does not have. have and want are
// ID:key=value,... or key=value,...
func Exchange(have, want string) []string {
	had, wanted := param.Split(bare(have)), param.Split(bare(want))
	var out []string
	for _, h := range had {
		key, _, _ := strings.Cut(h, "=")
		if !slices.ContainsFunc(wanted, func(w string) bool { return strings.HasPrefix(w, key+"=") }) {
			out = append(out, key+"=")
		}
	}
	for _, w := range wanted {
		if !slices.Contains(had, w) {
			out = append(out, w)
		}
	}
	return out
}

// bare takes the id of an environment away.
func bare(env string) string {
	if id, rest, ok := strings.Cut(env, ":"); ok && !strings.Contains(id, "=") {
		return rest
	}
	return env
}
