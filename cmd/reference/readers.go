package main

import (
	"tarry/fidelity/artist/artistref"
	"tarry/fidelity/elasticflowsim/elasticref"
	"tarry/fidelity/gavelsim/gavelref"
	"tarry/fidelity/murisim/muriref"
	"tarry/fidelity/polluxsim/polluxref"
	"tarry/fidelity/predictsim/predictsimref"
	"tarry/fidelity/reference"
	"tarry/fidelity/shockwavesim/shockwaveref"
)

// readers lists the forms of results that are compared, one line for each peer.
func readers() []reference.Reader {
	return append(reference.Readers(),
		artistref.Reader(),
		gavelref.Reader(),
		muriref.Reader(),
		shockwaveref.Reader(),
		polluxref.Reader(),
		elasticref.Reader(),
		predictsimref.Reader(),
	)
}
