package app

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// TestHelpFits: no line of a help is wider than 100 columns, but for a word that is; a short help
// fits a screen or two, and the long one has every flag.
func TestHelpFits(t *testing.T) {
	app := shipped().newApp(io.Discard, io.Discard)
	var walk func(path []*cli.Command, commands []*cli.Command, flags []cli.Flag)
	walk = func(path []*cli.Command, commands []*cli.Command, flags []cli.Flag) {
		var short, long strings.Builder
		if err := errors.Join(printHelp(&short, app, path, false), printHelp(&long, app, path, true)); err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(long.String(), "\n")
		if n := strings.Count(short.String(), "\n"); n > 80 {
			t.Errorf("%s: the short help has %d lines", name, n)
		}
		for line := range strings.SplitSeq(long.String(), "\n") {
			if len(line) > helpWidth && len(strings.Fields(line)) > 1 {
				t.Errorf("%s: a line of %d columns: %s", name, len(line), line)
			}
		}
		for _, f := range flags {
			if f.Names()[0] == "help-all" {
				continue // only where it has more
			}
			if v, ok := f.(cli.VisibleFlag); ok && v.IsVisible() && !strings.Contains(long.String(), "--"+f.Names()[0]) {
				t.Errorf("%s: no --%s", name, f.Names()[0])
			}
		}
		for _, k := range commands {
			walk(append(path[:len(path):len(path)], k), k.Subcommands, k.Flags)
		}
	}
	walk(nil, app.Commands, app.Flags)
}
