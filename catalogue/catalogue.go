// Package catalogue is everything that tarry ships by name, as one value: policies, trace formats,
// speed models, layers, environments, agents, optimisers and questions.
//
// Reading guide. All gives the value. A program elsewhere appends entries of its own and hands it
// to app.Main; then every sub-command has them. CONTRIBUTING.md has a section for each of the
// eight.
//
//	c := catalogue.All()
//	c.Policies = append(c.Policies, mine.Entry())
//	app.Main(c)
package catalogue

import (
	"tarry/app"
	"tarry/catalogue/questions"
	"tarry/catalogue/shipped"
	"tarry/run/pyentry"
	"tarry/sim/entry"
)

// All gives what tarry ships.
func All() *app.Catalogue {
	c := &app.Catalogue{Catalogues: *shipped.All(), Questions: questions.All()}
	for i := range c.Policies {
		if c.Policies[i].Name == entry.Python {
			c.Policies[i] = pyentry.Entry(pyentry.Config{}) // runs its classes
		}
	}
	return c
}
