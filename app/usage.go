package app

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/sim/param"
)

// onUsageError adds the flag that was meant, and where to read on.
func onUsageError(c *cli.Context, err error, _ bool) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		name = strings.TrimPrefix(name, "-")
		text = fmt.Sprintf("unknown flag --%s%s", name, param.Hint(name, flagNames(c)))
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		name = longName(c, strings.TrimPrefix(name, "-"))
		text = fmt.Sprintf("--%s needs a value", name)
	}
	if m := regexp.MustCompile(`^invalid (?:boolean )?value (".*") for (?:flag )?-(\S+): `).FindStringSubmatch(
		text); m != nil {
		name := longName(c, m[2])
		want := "true, false or nothing"
		if _, yes := flagNamed(c, name).(*cli.DurationFlag); yes {
			want = "a time such as 90s, 10m or 1h30m"
		}
		text = fmt.Sprintf("--%s is %s, expected %s", name, m[1], want)
	}
	return usageError{fmt.Errorf("%s (see %s --help)", text, commandPath(c))}
}

// flagNamed finds a flag of the command by any of its names; nil = there is none.
func flagNamed(c *cli.Context, name string) cli.Flag {
	if c.Command != nil {
		if f := flagOf(c.Command.Flags, name); f != nil {
			return f
		}
	}
	return flagOf(c.App.Flags, name)
}

// longName is the first name of the flag that was typed, which is its long one.
func longName(c *cli.Context, name string) string {
	if f := flagNamed(c, name); f != nil {
		return f.Names()[0]
	}
	return name
}

// commandPath is the command as it is typed.
func commandPath(c *cli.Context) string {
	if c.Command == nil || c.Command.HelpName == "" || c.Command.HelpName == c.App.HelpName {
		return "tarry"
	}
	return c.Command.HelpName
}

// flagNames lists the long flags of the command.
func flagNames(c *cli.Context) []string {
	flags := c.App.Flags
	if c.Command != nil {
		flags = append(flags[:len(flags):len(flags)], c.Command.Flags...)
	}
	var names []string
	for _, f := range flags {
		names = append(names, f.Names()[0])
	}
	return names
}

// unknownCommand is the action of a command that only has sub-commands: it shows the help, or
// states which command was meant.
func unknownCommand(c *cli.Context) error {
	commands := c.App.Commands
	if c.Command != nil && len(c.Command.Subcommands) > 0 {
		commands = c.Command.Subcommands
	}
	if !c.Args().Present() {
		l := readLine(c.App, strings.Fields(commandPath(c))[1:])
		return printHelp(c.App.Writer, c.App, l.path, false)
	}
	var names []string
	for _, k := range commands {
		if !k.Hidden && k.Name != "help" {
			names = append(names, k.Name)
		}
	}
	got := c.Args().First()
	return usageError{fmt.Errorf("unknown command %q, expected one of %s%s", got, strings.Join(names, ", "),
		param.Hint(got, names))}
}

// noArguments refuses what stands behind the flags.
func noArguments(c *cli.Context) error {
	if c.Args().Present() {
		return usageError{fmt.Errorf("unexpected argument %q: %s takes flags only (see %s --help)", c.Args().First(),
			commandPath(c), commandPath(c))}
	}
	return nil
}
