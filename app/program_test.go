package app

import (
	"tarry/catalogue/questions"
	parts "tarry/catalogue/shipped"
)

// shipped is the command as tarry ships it.
func shipped() program {
	return program{Catalogue: &Catalogue{Catalogues: *parts.All(), Questions: questions.All()}}
}
