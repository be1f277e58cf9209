package app

import (
	"tarry/catalogue/questions"
	parts "tarry/catalogue/shipped"
	"tarry/run/pyentry"
)

// shipped is the command as tarry ships it.
func shipped() program {
	c := &Catalogue{Catalogues: *parts.All(), Questions: questions.All()}
	for i := range c.Policies {
		if c.Policies[i].Name == "python" {
			c.Policies[i] = pyentry.Entry(pyentry.Config{})
		}
	}
	return program{Catalogue: c}
}
