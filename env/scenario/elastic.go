package scenario

import (
	"tarry/sim/setting"
	"tarry/traces/elastic"
)

// elasticLaw lets jobs run on other numbers of GPUs.
func elasticLaw() scenarioLaw {
	return scenarioLaw{(*Scenario).elasticRow, (*Setup).buildElastic}
}

// elasticRow is its setting.
func (c *Scenario) elasticRow() setting.Row {
	return setting.Row{Key: "elastic", Group: setting.Jobs, Page: "reference/elastic.md", Flag: "elastic", To: &c.Elastic,
		Read: rule("elastic", &c.Elastic),
		Meta: "KEYS",
		Doc:  "jobs can run on other numbers of GPUs than they ask for", Forms: elastic.Forms, See: "elastic",
		Choices: keysOf(elastic.Doc, elastic.Options),
		List:    "elastic", ListDoc: "the keys of --elastic: which jobs can run on other numbers of GPUs than " +
			"they ask for",
		Files: func() []string { return elastic.Files(c.Elastic) }}
}

// buildElastic reads which jobs are elastic.
func (s *Setup) buildElastic() (_ layerOf, err error) {
	if s.Scenario.Elastic == "" {
		return nil, nil
	}
	if s.elastic, err = elastic.Parse(s.Scenario.Elastic); err != nil {
		return nil, wrong("elastic", "%w", err)
	}
	return nil, nil
}
