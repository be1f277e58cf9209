package app

import (
	"context"
	"io"

	"tarry/catalogue"
)

// shipped is the command as tarry ships it.
func shipped() program { return program{catalogue.All()} }

// run runs a command line of it.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return shipped().run(ctx, args, stdout, stderr)
}
