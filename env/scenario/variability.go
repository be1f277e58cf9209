package scenario

import (
	"tarry/sim/entry"
	"tarry/sim/setting"
	"tarry/sim/stack"
	"tarry/sim/variability"
)

// variabilityLaw lets GPUs of one type differ in speed.
func variabilityLaw() scenarioLaw {
	return scenarioLaw{(*Scenario).variabilityRow, (*Setup).buildVariability}
}

// variabilityRow is its setting.
func (c *Scenario) variabilityRow() setting.Row {
	return setting.Row{Key: "variability", Group: setting.Machines,
		Page: "reference/speed.md", Flag: "variability", To: &c.Variability, Paths: true,
		Meta:  "FACTORS",
		Words: []string{"drawn:"},
		Doc:   "GPUs of one type differ in speed", Forms: variability.Forms,
		Files: func() []string { return variability.Files(c.Variability) }, FilesFirst: true}
}

// buildVariability reads how GPUs of one type differ.
func (s *Setup) buildVariability() (layerOf, error) {
	if s.Scenario.Variability == "" || s.Topology == nil {
		return nil, nil
	}
	factors, err := variability.Parse(s.Scenario.Variability, s.Topology)
	if err != nil {
		return nil, wrong("variability", "%w", err)
	}
	return func(*entry.SpeedEnv) stack.Layer { return variability.NewLayer(factors) }, nil
}
