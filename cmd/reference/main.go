// Command reference compares tarry with the results of other simulators: make reference. With the
// argument habits it writes the table of the effect of each habit of the simulator of Dally's
// authors: make habits. With the arguments pollux N [SETTING...] it writes a table of N runs each
// of Pollux beside its published means: make pollux-means. With the arguments defaults [SCHEDULER...]
// it writes docs/defaults.csv, the effects of the defaults of all schedulers or of some: make
// defaults. With the arguments cost LIMIT [SCHEDULER...] it writes docs/cost.csv, the processor
// seconds of each scheduler on Philly, and with growth LIMIT [SCHEDULER...] docs/cost-growth.csv, of
// some on clusters of several sizes: make cost, make growth.
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

// writer gives what measures and writes a file, by the first argument; nil = another argument.
func writer(name string) func(ctx context.Context, shared string, args []string) error {
	switch name {
	case "defaults":
		return writeDefaults
	case "cost":
		return writeCost
	case "growth":
		return writeGrowth
	case costChild:
		return runCostChild
	}
	return nil
}

// first is the first of some arguments, "" without one.
func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

func main() { os.Exit(run()) }

func run() int {
	shared := cmp.Or(os.Getenv("TARRY_SHARED"), filepath.Join("..", "shared"))
	root := cmp.Or(os.Getenv("TARRY_REFERENCE"), filepath.Join(shared, "reference"))
	if write := writer(first(os.Args[1:])); write != nil {
		if err := write(context.Background(), shared, os.Args[2:]); err != nil {
			fmt.Fprintf(os.Stderr, "reference: %s: %v\n", os.Args[1], err)
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
