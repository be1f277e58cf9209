package listing

import (
	"strings"

	agents "tarry/agents/registry"
	"tarry/sim/param"
)

// Described takes the words from a help text and the ranges and defaults from the code that reads
// the settings. A help text has one line per setting; indented lines continue the one before. Where
// the default is empty, the text may end in brackets with what it stands for.
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
		if words, end := cutBrackets(a.Meaning); end != "" && (s.Default == "" || s.Default == end) {
			a.Meaning, a.Default = words, end
		}
		out = append(out, a)
	}
	return out
}

// cutBrackets cuts the brackets that a text ends in; end = "" where it ends in none.
func cutBrackets(text string) (words, end string) {
	if at := strings.LastIndex(text, " ("); at > 0 && strings.HasSuffix(text, ")") {
		return text[:at], text[at+2 : len(text)-1]
	}
	return text, ""
}
