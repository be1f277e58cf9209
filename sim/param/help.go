package param

import "strings"

// WithDefaults completes a help text, which has one line for each setting (key, meaning) and
// indented lines that continue it, by the defaults of the code that reads the settings: a setting
// whose text does not end in brackets gets its default in brackets. So a default stands in the code
// alone.
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
		if def, known := defaults[key]; known && last && !bracketed(line) {
			lines[i] += " (" + def + ")"
		}
	}
	return strings.Join(lines, "\n")
}

// bracketed reports whether a line ends in brackets behind a space.
func bracketed(line string) bool {
	at := strings.LastIndexByte(line, '(')
	return at > 0 && line[at-1] == ' ' && strings.HasSuffix(line, ")")
}
