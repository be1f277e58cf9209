package param

import (
	"slices"
	"strings"
)

// Split cuts "key=value,..." at its commas, but for those between double quotes.
func Split(text string) []string {
	var out []string
	from, quoted := 0, false
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == ',' && !quoted:
			out = append(out, text[from:i])
			from = i + 1
		}
	}
	return append(out, text[from:])
}

// unquote takes the double quotes off a value that has them around it.
func unquote(v string) string {
	if len(v) >= 2 && v[0] == '"' && v[len(v)-1] == '"' {
		return v[1 : len(v)-1]
	}
	return v
}

// Quote writes a value so that Parse reads it as it is: between double quotes if it has a comma.
func Quote(v string) string {
	if strings.Contains(v, ",") {
		return `"` + v + `"`
	}
	return v
}

// Override sets one setting, "key=value", in "key=value,...", in place of one of the same key; it
// comes last.
func Override(text, setting string) string {
	key, _, _ := strings.Cut(setting, "=")
	if text = Without(text, strings.TrimSpace(key)); text == "" {
		return setting
	}
	return text + "," + setting
}

// Without takes settings out of "key=value,..." by their keys.
func Without(text string, keys ...string) string {
	var kept []string
	for _, have := range Split(text) {
		if k, _, _ := strings.Cut(have, "="); !slices.Contains(keys, strings.TrimSpace(k)) && have != "" {
			kept = append(kept, have)
		}
	}
	return strings.Join(kept, ",")
}

// Rejoin puts the settings of specs back where a list was split at commas: after "NAME:key=value"
// or "NAME:MODULE:CLASS" an entry "key=value" belongs to the one before it. Entries are trimmed, empty ones left out.
func Rejoin(parts []string) []string {
	var out []string
	for _, p := range parts {
		p = strings.TrimSpace(p)
		n := len(out)
		switch {
		case p == "":
		case n > 0 && isSpec(out[n-1]) && isSetting(p):
			out[n-1] += "," + p
		default:
			out = append(out, p)
		}
	}
	return out
}

// isSpec reports whether an entry is NAME:key=...: the colon is before the first equals sign. So is
// NAME:MODULE:CLASS.
func isSpec(p string) bool {
	head, _, setting := strings.Cut(p, "=")
	colon := strings.IndexByte(head, ':')
	return colon > 0 && (setting || strings.IndexByte(head[colon+1:], ':') > 0)
}

// isSetting reports whether an entry is key=...
func isSetting(p string) bool {
	colon, equals := strings.IndexByte(p, ':'), strings.IndexByte(p, '=')
	return equals > 0 && (colon < 0 || colon > equals)
}
