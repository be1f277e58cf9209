//go:build js

// Command tarrywasm is the simulator for the page to play with: GOOS=js GOARCH=wasm. See package
// play for what a page calls.
package main

import (
	"tarry/catalogue/light"
	"tarry/run/play"
)

func main() { play.Serve(light.All()) }
