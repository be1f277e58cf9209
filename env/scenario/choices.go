package scenario

import (
	"strings"

	"tarry/sim/setting"
)

// keysOf gives the keys of a text with a key and its meaning in each line, namesOf the same of
// names.
func keysOf(doc string) func() []setting.Choice  { return choicesOf(doc, true) }
func namesOf(doc string) func() []setting.Choice { return choicesOf(doc, false) }

func choicesOf(doc string, keys bool) func() []setting.Choice {
	return func() []setting.Choice {
		var out []setting.Choice
		for line := range strings.SplitSeq(doc, "\n") {
			name, what, _ := strings.Cut(line, " ")
			out = append(out, setting.Choice{Name: name, Doc: strings.TrimSpace(what), Key: keys})
		}
		return out
	}
}
