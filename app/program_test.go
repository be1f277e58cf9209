package app

import (
	parts "tarry/catalogue/shipped"
	"tarry/experiments"
)

// shipped is the command as tarry ships it.
func shipped() program {
	return program{Catalogue: &Catalogue{Catalogues: *parts.All(), Questions: experiments.All()}}
}
