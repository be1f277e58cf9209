package param

import (
	"slices"
	"strings"
)

// WithDefaults completes a help text, which has one line for each setting (key, meaning) and
// indented lines that continue it, by the defaults of the code that reads the settings: each gets
// its default in brackets, unless that is empty. So a default stands in the code alone.
func WithDefaults(help string, read []Setting) string {
	if help == "" {
		return ""
	}
	defaults := map[string]string{}
	for _, s := range read {
		defaults[s.Key] = s.Default
	}
	lines := strings.Split(help, "\n")
	key := ""
	for i, line := range lines {
		if !strings.HasPrefix(line, " ") {
			key, _, _ = strings.Cut(line, " ")
		}
		last := i+1 == len(lines) || !strings.HasPrefix(lines[i+1], " ")
		if def := defaults[key]; def != "" && last {
			lines[i] += " (" + def + ")"
		}
	}
	return strings.Join(lines, "\n")
}

// Ordered puts settings in the order of a help text's lines.
func Ordered(read []Setting, help string) []Setting {
	line := func(s Setting) int { return strings.Index("\n"+help, "\n"+s.Key+" ") }
	slices.SortStableFunc(read, func(a, b Setting) int { return line(a) - line(b) })
	return read
}

// Keys lists what a text has a line for: the first word of each line that is not indented.
func Keys(help string) []string {
	var out []string
	for _, line := range strings.Split(help, "\n") {
		if key, _, _ := strings.Cut(line, " "); key != "" {
			out = append(out, key)
		}
	}
	return out
}
