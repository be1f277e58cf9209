// Package catalogue is everything that the command knows by name, as one value: policies, trace formats, speed models,
// environments, agents, optimisers and questions.
//
// Reading guide. All gives what tarry ships. A program elsewhere appends entries of its own and hands the value to app.Main;
// then every sub-command knows them. CONTRIBUTING.md has a section for each of the seven.
//
//	c := catalogue.All()
//	c.Policies = append(c.Policies, mine.Entry())
//	app.Main(c)
package catalogue

import (
	"errors"

	"tarry/catalogue/parts"
	"tarry/experiments"
)

// Catalogue is what the command knows. The zero value knows nothing.
type Catalogue struct {
	// Catalogues are what a run can name: Policies, Traces, Speeds, Envs, Agents and Optimisers.
	parts.Catalogues
	// Questions are those of --question.
	Questions experiments.Catalogue
}

// All gives what tarry ships.
func All() *Catalogue { return &Catalogue{Catalogues: *parts.All(), Questions: experiments.All()} }

// Validate reports every entry that cannot be named or made, and every name that two entries of one kind have.
func (c *Catalogue) Validate() error {
	return errors.Join(c.Catalogues.Validate(), c.Questions.Validate())
}
