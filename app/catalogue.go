package app

import (
	"errors"

	"tarry/experiments/sweep"
	"tarry/run/parts"
)

// Catalogue has what the command uses by name. The zero value is empty; catalogue.All has what
// tarry ships.
type Catalogue struct {
	// Catalogues are what a run can name: Policies, Traces, Speeds, Predictors, Envs, Agents and
	// Optimisers.
	parts.Catalogues
	// Questions are the questions of --question.
	Questions sweep.Questions
}

// Validate reports every entry that cannot be named or made, and every name that two entries of one
// kind have.
func (c *Catalogue) Validate() error {
	return errors.Join(c.Catalogues.Validate(), c.Questions.Validate())
}
