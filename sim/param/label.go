package param

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// labelKey is the setting that every policy takes: its name for readers.
const labelKey = "label"

// longestLabel is the longest label in characters.
const longestLabel = 40

// Labelled takes label=TEXT out of a policy, NAME:key=value,...: bare is the policy as tables name
// it, label its short name in pictures, printed tables and the report; "" = it has none. A label
// that Label refuses, or a second one, stays in bare.
func Labelled(spec string) (bare, label string) {
	name, text, ok := strings.Cut(spec, ":")
	if !ok {
		return spec, ""
	}
	var kept []string
	n := 0
	for _, part := range Split(text) {
		key, value, is := strings.Cut(part, "=")
		if !is || strings.TrimSpace(key) != labelKey {
			kept = append(kept, part)
			continue
		}
		label = unquote(strings.TrimSpace(value))
		n++
	}
	switch {
	case n != 1 || !isLabel(label):
		return spec, ""
	case len(kept) == 0:
		return name, label
	}
	return name + ":" + strings.Join(kept, ","), label
}

// Unlabelled takes the labels out of policies; labels has them by the bare names, nil = there is
// none.
func Unlabelled(specs []string) (bare []string, labels map[string]string) {
	bare = slices.Clone(specs)
	for i, spec := range specs {
		name, label := Labelled(spec)
		if bare[i] = name; label == "" {
			continue
		}
		if labels == nil {
			labels = map[string]string{}
		}
		labels[name] = label
	}
	return bare, labels
}

// Label reads label=TEXT, which any policy may have.
func (s *Set) Label() {
	const want = "a name of 1..40 printable characters"
	if v, ok := s.text(labelKey, want, ""); ok && !isLabel(v) {
		s.Wrong(labelKey, want)
	}
}

func isLabel(v string) bool {
	return v != "" && utf8.ValidString(v) && utf8.RuneCountInString(v) <= longestLabel &&
		strings.IndexFunc(v, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}
