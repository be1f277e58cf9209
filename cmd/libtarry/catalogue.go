//go:build cgo

package main

import "C"

import (
	"tarry/env/envs"
	"tarry/internal/release"
)

// interfaceVersion rises whenever a call or a layout changes.
const interfaceVersion = 2

//export tarry_interface
func tarry_interface() C.int { return interfaceVersion }

//export tarry_version
func tarry_version(out **C.char) (status C.int) {
	defer caught(out, &status)
	give(out, release.Version)
	return 0
}

// named is an environment in the list of tarry_envs.
type named struct {
	ID       string `json:"id"`
	Doc      string `json:"doc"`
	Options  string `json:"options"`
	MaxSteps int    `json:"max_steps"`
}

//export tarry_envs
func tarry_envs(out **C.char) (status C.int) {
	defer caught(out, &status)
	var all []named
	for _, e := range envs.All() {
		all = append(all, named{e.ID, e.Doc, e.Params, e.MaxSteps})
	}
	return giveJSON(out, all)
}
