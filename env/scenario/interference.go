package scenario

import (
	"strings"

	"tarry/sim/entry"
	"tarry/sim/interference"
	"tarry/sim/setting"
	"tarry/sim/speed/measured"
	"tarry/sim/stack"
)

// interferenceLaw slows down jobs that share a GPU.
func interferenceLaw() scenarioLaw {
	return scenarioLaw{(*Scenario).interferenceRow, (*Setup).buildInterference}
}

// interferenceRow is its setting.
func (c *Scenario) interferenceRow() setting.Row {
	return setting.Row{Key: "interference", Group: setting.Machines,
		Page: "reference/sharing.md", Flag: "interference", To: &c.Interference,
		Empty: interference.None, Meta: "LAW",
		Doc: "jobs on one GPU slow one another down", Forms: interference.Forms(), See: "interference",
		Choices: interferenceLaws,
		List:    "interference", ListDoc: "the laws of --interference: what jobs on one GPU keep of their speeds",
		Files: func() []string { return regularAll(interference.Files(c.Interference)) }}
}

// buildInterference reads what jobs on one GPU keep of their speeds.
func (s *Setup) buildInterference() (layerOf, error) {
	open := func(dir string) (interference.Measured, error) { return measured.Open(dir) }
	rule, err := interference.Parse(s.Scenario.Interference, open)
	if err != nil {
		return nil, wrong("interference", "%w", err)
	}
	if rule == nil {
		return nil, nil
	}
	if kind, _ := s.from.Speeds.Find(s.Scenario.Speed); kind.Pairs {
		return nil, wrong("interference", "interference %q: speed model %s has its own rule for jobs on one GPU, "+
			"expected none",
			s.Scenario.Interference, kind.Name)
	}
	return func(e *entry.SpeedEnv) stack.Layer { return interference.NewLayer(rule, e.Models, e.Topology) }, nil
}

// interferenceLaws are the laws of the setting interference.
func interferenceLaws() []setting.Choice {
	out := []setting.Choice{{Name: interference.None, Doc: "a share is a part of a GPU's time (the default)"}}
	for _, k := range interference.Laws() {
		out = append(out, setting.Choice{Name: k.Name, Doc: k.Doc, Form: k.Form,
			Params: strings.TrimSpace(k.Params + "\n" + interference.SpillDoc), Options: k.Options})
	}
	return out
}
