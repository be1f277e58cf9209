package scenario

import (
	"errors"

	"tarry/sim/power"
	"tarry/sim/power/specs"
	"tarry/sim/power/tariff"
	"tarry/sim/series"
	"tarry/sim/setting"
)

// powerPage is the page about the settings of power.
const powerPage = "reference/power.md"

// powerLaw gives machines what they draw.
func powerLaw() scenarioLaw { return scenarioLaw{(*Scenario).powerRow, (*Setup).buildPower} }

// powerRow is its setting.
func (c *Scenario) powerRow() setting.Row {
	return setting.Row{Key: "power", Group: setting.Power, Page: powerPage, Flag: "power", To: &c.Power,
		Empty: specs.None, Paths: true, Meta: "SPEC", Words: []string{specs.None, specs.Auto},
		Doc: "what machines draw, and how long they boot", Forms: specs.Forms,
		See: "power", Choices: powerSpecs, List: "power",
		ListDoc: "the specs of --power: watts of machines and GPUs, with their sources",
		Files:   func() []string { return specs.Files(c.Power) }}
}

// powerSpecs are the named specs.
func powerSpecs() []setting.Choice {
	out := []setting.Choice{{Name: specs.Auto, Doc: "the spec whose name is among the words of the machine's GPU type"}}
	for _, r := range specs.All() {
		doc := r.Doc + " (" + r.Mark + "): " + r.Source
		if r.Assumed != "" {
			doc += "; assumed: " + r.Assumed
		}
		out = append(out, setting.Choice{Name: r.Name, Doc: doc, Form: r.Name + "[:boot_s=300,off_w=15,...]",
			Params: specs.Params, Options: r.Options})
	}
	return out
}

// tariffLaws are the series of what energy costs and how much may be drawn.
func tariffLaws() []scenarioLaw {
	nothing := func(*Setup) (layerOf, error) { return nil, nil } // buildPower reads them
	return []scenarioLaw{
		{func(c *Scenario) setting.Row {
			return tariffRow(tariff.Price(), "price", &c.KWhPrice, "price of energy, money per kWh in any currency")
		}, nothing},
		{func(c *Scenario) setting.Row {
			return tariffRow(tariff.Carbon(), "carbon", &c.Carbon, "carbon intensity of energy, g/kWh")
		}, nothing},
		{func(c *Scenario) setting.Row {
			return tariffRow(tariff.Cap(), "power-cap", &c.PowerCap, "most that the cluster should draw, which policies read")
		}, nothing},
	}
}

// tariffRow is the setting of one of them.
func tariffRow(k tariff.Kind, flag string, to *string, doc string) setting.Row {
	return setting.Row{Key: k.Key, Group: setting.Power, Page: powerPage, Flag: flag,
		To: to, Empty: tariff.None, Paths: true, Meta: "SERIES", Doc: doc, Forms: k.Forms(),
		Files: func() []string { return tariff.Files(*to) }}
}

// buildPower reads what machines draw and what it costs.
func (s *Setup) buildPower() (layerOf, error) {
	c := &s.Scenario
	rule, err := specs.Parse(c.Power)
	if err != nil {
		err = wrong("power", "%w", err)
	}
	errs := []error{err}
	var m *power.Model
	if rule != nil && s.Topology != nil {
		if m, err = rule.Model(s.Topology); err != nil {
			errs = append(errs, wrong("power", "%w", err))
		}
	}
	var series [3]*series.Series
	for i, of := range [...]struct {
		kind tariff.Kind
		text string
	}{{tariff.Price(), c.KWhPrice}, {tariff.Carbon(), c.Carbon}, {tariff.Cap(), c.PowerCap}} {
		if series[i], err = of.kind.Parse(of.text); err != nil {
			errs = append(errs, wrong(of.kind.Key, "%w", err))
		}
		if series[i] != nil && rule == nil && errs[0] == nil {
			errs = append(errs, wrong(of.kind.Key, "%s is %q without power, expected what machines draw, too: "+
				"power=auto or a name of tarry list power", of.kind.Key, of.text))
		}
	}
	if m != nil {
		m.Price, m.Carbon, m.Cap = series[0], series[1], series[2]
		if m.Cap != nil {
			m.Cap = tariff.Watts(m.Cap, specs.MaxW(m, s.Topology))
		}
	}
	s.power = m
	return nil, errors.Join(errs...)
}

// Power is what machines draw and what energy costs; nil = no energy. Runs share it.
func (s *Setup) Power() *power.Model { return s.power }
