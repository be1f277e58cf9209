package main

import "tarry/fidelity/reference"

// readers lists the forms of results that are compared, one line for each peer.
func readers() []reference.Reader {
	return reference.Readers()
}
