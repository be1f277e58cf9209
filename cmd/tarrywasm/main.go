// Command tarrywasm is the simulator for the page to play with: GOOS=js GOARCH=wasm. See package
// play for what a page calls.
package main

import (
	"fmt"
	"os"

	"tarry/catalogue/light"
	"tarry/run/play"
)

func main() {
	fmt.Fprintln(os.Stderr, play.Serve(light.All()))
	os.Exit(1)
}
