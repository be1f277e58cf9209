package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/internal/param"
)

// onUsageError adds the flag that was meant, and where to read on.
func onUsageError(c *cli.Context, err error, _ bool) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		name = strings.TrimPrefix(name, "-")
		text = fmt.Sprintf("unknown flag --%s%s", name, param.Hint(name, flagNames(c)))
	}
	return usageError{fmt.Errorf("%s (see %s --help)", text, commandPath(c))}
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

// unknownCommand is the action of a command that only has sub-commands: it shows the help, or says
// which command was meant.
func unknownCommand(c *cli.Context) error {
	commands := c.App.Commands
	if c.Command != nil && len(c.Command.Subcommands) > 0 {
		commands = c.Command.Subcommands
	}
	if !c.Args().Present() {
		if c.Command != nil && len(c.Command.Subcommands) > 0 && c.Command.Name != "tarry" {
			return cli.ShowSubcommandHelp(c)
		}
		return cli.ShowAppHelp(c)
	}
	var names []string
	for _, k := range commands {
		if !k.Hidden && k.Name != "help" {
			names = append(names, k.Name)
		}
	}
	got := c.Args().First()
	return usageError{fmt.Errorf("unknown command %q, expected one of %s%s", got, strings.Join(names, ", "), param.Hint(got, names))}
}

// noArguments refuses what stands behind the flags.
func noArguments(c *cli.Context) error {
	if c.Args().Present() {
		return usageError{fmt.Errorf("unexpected argument %q: %s takes flags only (see %s --help)", c.Args().First(), commandPath(c), commandPath(c))}
	}
	return nil
}
