// Command reference compares tarry with the results of other simulators: make reference. With the
// argument habits it writes the table of the effect of each habit of the simulator of Dally's
// authors: make habits. With the arguments pollux N [SETTING...] it writes a table of N runs each
// of Pollux beside its published means: make pollux-means. With the arguments defaults [SCHEDULER...]
// it writes docs/defaults.csv, the effects of the defaults of all schedulers or of some: make
// defaults.
//
// It goes through every folder of $TARRY_REFERENCE (../shared/reference when that is not set) and
// prints a line for each; it ends with 1 when a folder that tarry reproduces falls short of what
// its README asks. TARRY_SHARED (../shared) is where the job lists and tables are looked for that a
// folder speaks of and does not hold.
package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"tarry/catalogue/simulation"
	"tarry/fidelity/artist/artistref"
	"tarry/fidelity/polluxsim/polluxref"
	"tarry/fidelity/reference"
)

func main() { os.Exit(run()) }

func run() int {
	shared := cmp.Or(os.Getenv("TARRY_SHARED"), filepath.Join("..", "shared"))
	root := cmp.Or(os.Getenv("TARRY_REFERENCE"), filepath.Join(shared, "reference"))
	if len(os.Args) > 1 && os.Args[1] == "defaults" {
		if err := writeDefaults(context.Background(), shared, os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "reference: defaults:", err)
			return 1
		}
		return 0
	}
	if _, err := os.Stat(root); os.IsNotExist(err) {
		fmt.Printf("reference: skipped: there is no folder %s (TARRY_REFERENCE names it)\n", root)
		return 0
	}
	with := reference.Setup{From: simulation.All(), Beside: []string{shared}, Readers: readers()}
	if len(os.Args) == 2 && os.Args[1] == "habits" {
		if err := artistref.Habits(context.Background(), with, filepath.Join(root, "artist-sim"), os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "reference:", err)
			return 1
		}
		return 0
	}
	if len(os.Args) > 2 && os.Args[1] == "pollux" {
		seeds, err := strconv.Atoi(os.Args[2])
		if err != nil || seeds < 1 {
			fmt.Fprintf(os.Stderr, "reference: %q seeds, expected 1 or more\n", os.Args[2])
			return 1
		}
		if err := polluxref.Spread(context.Background(), with, filepath.Join(root, "pollux"), seeds, os.Args[3:],
			os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "reference:", err)
			return 1
		}
		return 0
	}
	good, err := with.Run(context.Background(), root, os.Stdout, os.Stderr)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "reference:", err)
		return 1
	case !good:
		return 1
	}
	return 0
}
