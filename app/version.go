package app

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"
)

// version is the module's version as the build recorded it: a release, or the commit with its time.
// A build of changed or unrecorded code adds its code id: results of other code are then never taken
// for its own, since a finished trial is only kept when its version is that of the program.
func version() string {
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	if v == "(devel)" || strings.HasSuffix(v, "+dirty") {
		if id := ownCodeID(); id != "" {
			v += "." + id
		}
	}
	return v
}

// versionLine is what tarry version and tarry --version print.
func versionLine() string {
	return fmt.Sprintf("tarry %s %s %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func versionCommand() *cli.Command {
	return &cli.Command{
		Name:         "version",
		Usage:        "print the version of the program, Go and the platform",
		OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			_, err := fmt.Fprintln(c.App.Writer, versionLine())
			return err
		},
	}
}

// versionStandsAlone refuses --version before a command: neither alone is what was meant.
func versionStandsAlone(c *cli.Context) error {
	if c.Bool("version") && c.Args().Present() {
		return usageError{fmt.Errorf("--version stands alone, not before %q", c.Args().First())}
	}
	return nil
}

// versionOrHelp is the program without a command.
func versionOrHelp(c *cli.Context) error {
	if c.Bool("version") {
		_, err := fmt.Fprintln(c.App.Writer, versionLine())
		return err
	}
	return unknownCommand(c)
}
