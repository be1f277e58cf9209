//go:build cgo

package main

import "C"

import (
	"fmt"
	"strings"

	"tarry/catalogue/envs"
	"tarry/catalogue/shipped"
	"tarry/internal/release"
	"tarry/run/listing"
	"tarry/sim/param"
)

// interfaceVersion rises whenever a call or a layout changes.
const interfaceVersion = 7

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
	from := shipped.All().Catalogues
	for _, e := range envs.All() {
		all = append(all, named{e.ID, e.Doc, param.WithDefaults(e.Help(), e.Settings(from)), e.MaxSteps})
	}
	return giveJSON(out, all)
}

// tarry_list gives what tarry list NAME prints as JSON, as one list; tarry list questions is not
// here.
//
//export tarry_list
func tarry_list(name *C.char, out **C.char) (status C.int) {
	defer caught(out, &status)
	var names []string
	for _, l := range listing.All(shipped.All()) {
		if l.Name == C.GoString(name) {
			return giveJSON(out, append([]listing.Entry{}, l.Entries()...)) // an empty list is [], not null
		}
		names = append(names, l.Name)
	}
	return refuse(out, fmt.Errorf("list %q, expected one of %s%s", C.GoString(name), strings.Join(names, ", "),
		param.Hint(C.GoString(name), names)))
}
