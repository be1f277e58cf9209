package scenario

import (
	"tarry/sim/efficiency"
	"tarry/sim/entry"
	"tarry/sim/setting"
	"tarry/sim/stack"
)

// efficiencyLaw makes samples of larger batches less efficient.
func efficiencyLaw() scenarioLaw {
	return scenarioLaw{(*Scenario).efficiencyRow, (*Setup).buildEfficiency}
}

// efficiencyRow is its setting.
func (c *Scenario) efficiencyRow() setting.Row {
	return setting.Row{Key: "efficiency", Group: setting.Machines,
		Page: "reference/elastic.md", Flag: "efficiency", To: &c.Efficiency,
		Read: rule("efficiency", &c.Efficiency), Meta: "LAW",
		Doc: "statistical efficiency of large batches", Forms: efficiency.Forms, See: "efficiency",
		Choices: keysOf(efficiency.Doc, efficiency.Options), Words: []string{efficiency.Measured}, List: "efficiency",
		ListDoc: "the keys of --efficiency: the progress of samples in larger batches"}
}

// buildEfficiency reads the statistical efficiency of batches.
func (s *Setup) buildEfficiency() (layerOf, error) {
	if s.Scenario.Efficiency == "" {
		return nil, nil
	}
	rule, err := efficiency.Parse(s.Scenario.Efficiency)
	if err != nil {
		return nil, wrong("efficiency", "%w", err)
	}
	if kind, _ := s.from.Speeds.Find(s.Scenario.Speed); kind.Learns {
		return nil, wrong("efficiency", "efficiency %q: speed model %s counts already the progress of samples, "+
			"expected none",
			s.Scenario.Efficiency, kind.Name)
	}
	return func(e *entry.SpeedEnv) stack.Layer { return efficiency.NewLayer(rule, e.Models, e.DefaultModel) }, nil
}
