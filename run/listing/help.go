package listing

import (
	"strings"

	agents "tarry/agents/registry"
	"tarry/sim/param"
)

// Described takes the words from a help text and the ranges from the code that reads the settings.
// A help text has one line per setting, which ends in its default in brackets; indented lines
// continue the one before.
func Described(help string, read []param.Setting) []agents.About {
	text := map[string]string{}
	last := ""
	for line := range strings.SplitSeq(help, "\n") {
		if !strings.HasPrefix(line, " ") {
			last, line, _ = strings.Cut(line, " ")
		}
		text[last] = strings.TrimSpace(text[last] + " " + strings.TrimSpace(line))
	}
	var out []agents.About
	for _, s := range read {
		a := agents.About{Key: s.Key, Meaning: text[s.Key], Range: s.Range, Default: s.Default}
		if at := strings.LastIndex(a.Meaning, " ("); at > 0 && strings.HasSuffix(a.Meaning, ")") {
			a.Meaning, a.Default = a.Meaning[:at], a.Meaning[at+2:len(a.Meaning)-1]
		}
		out = append(out, a)
	}
	return out
}
