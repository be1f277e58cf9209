package scenario

import (
	"strings"

	"tarry/sim/hosts"
	"tarry/sim/interference"
	"tarry/sim/setting"
)

// interferenceLaws are the laws of the setting interference.
func interferenceLaws() []setting.Choice {
	out := []setting.Choice{{Name: interference.None, Doc: "a share is a part of a GPU's time (the default)"}}
	for _, k := range interference.Laws() {
		out = append(out, setting.Choice{Name: k.Name, Doc: k.Doc, Form: k.Form,
			Params: strings.TrimSpace(k.Params + "\n" + interference.SpillDoc), Options: k.Options})
	}
	return out
}

// hostLaws are the laws of the setting hosts.
func hostLaws() []setting.Choice {
	out := []setting.Choice{{Name: hosts.None, Doc: "speeds do not follow CPU and memory, which are room alone " +
		"(the default)"}}
	for _, k := range hosts.Laws() {
		out = append(out, setting.Choice{Name: k.Name, Doc: k.Doc, Form: k.Form,
			Params: strings.TrimSpace(k.Params + "\n" + hosts.CommonDoc), Options: k.Options})
	}
	return out
}

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
