//go:build !js

package play

import (
	"errors"

	"tarry/env/scenario"
)

// Serve fails: outside a browser no script can call.
func Serve(scenario.Catalogues) error {
	return errors.New("play: only a page can call this program: build it with GOOS=js GOARCH=wasm")
}
