package scenario

import (
	"strings"

	"tarry/sim/param"
	"tarry/sim/setting"
)

// keysOf gives the keys of a text with a key and its meaning in each line, and their defaults as the
// code that reads them has them; namesOf gives names in the same way.
func keysOf(doc string, options func() []param.Setting) func() []setting.Choice {
	return func() []setting.Choice { return choicesOf(param.WithDefaults(doc, options()), true) }
}

func namesOf(doc string) func() []setting.Choice {
	return func() []setting.Choice { return choicesOf(doc, false) }
}

func choicesOf(doc string, keys bool) (out []setting.Choice) {
	for line := range strings.SplitSeq(doc, "\n") {
		name, what, _ := strings.Cut(line, " ")
		out = append(out, setting.Choice{Name: name, Doc: strings.TrimSpace(what), Key: keys})
	}
	return out
}
