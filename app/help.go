package app

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// helpWidth is the width of helps and lists, in columns.
const helpWidth = 100

// columnsPart begins the part of a description that explains the columns of the result: --help-all
// alone prints it.
const columnsPart = "\n\nColumns"

// helpFlags are flags of every command.
func helpFlags() []cli.Flag {
	return []cli.Flag{&cli.BoolFlag{Name: "help", Aliases: []string{"h"}, Usage: "print the help"},
		&cli.BoolFlag{Name: "help-all", Usage: "print the help with all options and columns"}}
}

// withHelp adds the flags of help to commands and those below them.
func withHelp(commands []*cli.Command) []*cli.Command {
	for _, k := range commands {
		k.HideHelp, k.HideHelpCommand = true, true
		k.Flags = append(k.Flags[:len(k.Flags):len(k.Flags)], helpFlags()...)
		withHelp(k.Subcommands)
	}
	return commands
}

// helpAsked reports whether a command line asks for help, by a flag or by the command help, and for
// all of it.
func helpAsked(app *cli.App, words []string) (path []*cli.Command, all, asked bool) {
	if i := slices.Index(words, "help"); i >= 0 && len(readLine(app, words[:i]).flags) == 0 {
		before := readLine(app, words[:i])
		if len(before.rest) == 0 && len(before.path) == i && (i == 0 || len(before.path[i-1].Subcommands) > 0) {
			words, asked = slices.Concat(words[:i], words[i+1:]), true
		}
	}
	l := readLine(app, words)
	for _, f := range l.flags {
		switch f.flag.Names()[0] {
		case "help-all":
			all, asked = true, true
		case "help":
			asked = true
		}
	}
	if len(l.rest) > 0 && (len(l.path) == 0 || len(l.path[len(l.path)-1].Subcommands) > 0 && l.path[0].Name != "sweep") {
		asked = false // an unknown command, which the program reports
	}
	return l.path, all, asked
}

// printHelp writes the help of the command at the end of a path, of the program where that is empty.
func printHelp(w io.Writer, app *cli.App, path []*cli.Command, all bool) error {
	h := helpText{all: all, name: "tarry", usage: app.Usage, calls: app.UsageText, about: app.Description,
		commands: app.Commands, flags: app.Flags}
	for _, k := range path {
		h = helpText{all: all, name: h.name + " " + k.Name, usage: k.Usage, calls: k.UsageText, about: k.Description,
			args: k.ArgsUsage, commands: k.Subcommands, flags: k.Flags}
	}
	_, err := io.WriteString(w, h.text())
	return err
}

// helpText is what a help has.
type helpText struct {
	all                             bool
	name, usage, calls, about, args string
	commands                        []*cli.Command
	flags                           []cli.Flag
}

func (h *helpText) text() string {
	var b strings.Builder
	line := func(text string, hang int) {
		for i, part := range wrapped(text, helpWidth-hang) {
			fmt.Fprintf(&b, "%s%s\n", strings.Repeat(" ", hang*min(i, 1)), part)
		}
	}
	line(h.name+" - "+h.usage, 2)
	b.WriteByte('\n')
	calls := h.calls
	if calls == "" {
		calls = strings.TrimSpace(h.name + " [OPTIONS] " + h.args)
	}
	for call := range strings.SplitSeq(calls, "\n") {
		b.WriteString(indented(wrapped(call, helpWidth-8), "  ", " \\\n      "))
	}
	about, columns, more := strings.Cut(h.about, columnsPart)
	if h.all && more {
		about += columnsPart + columns
	}
	if about != "" {
		b.WriteString("\n" + flowed(about))
	}
	h.listCommands(&b)
	rest := h.listFlags(&b)
	if more && !h.all {
		rest = append(rest, "the columns of the result")
	}
	if len(rest) > 0 && !h.all {
		b.WriteByte('\n')
		line(h.name+" --help-all has more: "+strings.Join(rest, "; "), 0)
	}
	return b.String()
}

func (h *helpText) listCommands(b *strings.Builder) {
	if len(h.commands) == 0 {
		return
	}
	b.WriteString("\nCommands:\n")
	for _, k := range h.commands {
		if !k.Hidden {
			row(b, k.Name, k.Usage, 14)
		}
	}
}

// listFlags writes the flags: those without a category first, then, with all, a group for each
// category. It returns the categories that it left out.
func (h *helpText) listFlags(b *strings.Builder) (left []string) {
	groups := []string{""}
	for _, f := range h.flags {
		if g := category(f); !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	for _, g := range groups {
		if g != "" && !h.all {
			left = append(left, g)
			continue
		}
		fmt.Fprintf(b, "\n%s:\n", cmp.Or(strings.ToUpper(g[:min(1, len(g))])+g[min(1, len(g)):], "Options"))
		for _, f := range h.flags {
			if category(f) == g && (f.Names()[0] != "help-all" || len(groups) > 1 || strings.Contains(h.about, columnsPart)) {
				flagRow(b, f, h.all)
			}
		}
	}
	return left
}

// category is the group of a flag; "" = common.
func category(f cli.Flag) string {
	if c, ok := f.(cli.CategorizableFlag); ok {
		return c.GetCategory()
	}
	return ""
}

// optional is a part of a form that may be left out.
var optional = regexp.MustCompile(`\[[^\]]*\]`)

// flagRow writes a flag. The word between backquotes in its usage stands for its value. Without all, what
// may be left out of a value is not shown.
func flagRow(b *strings.Builder, f cli.Flag, all bool) {
	d, ok := f.(cli.DocGenerationFlag)
	if v, may := f.(cli.VisibleFlag); !ok || may && !v.IsVisible() {
		return
	}
	names := f.Names()
	head := "--" + names[0]
	for _, alias := range names[1:] {
		if len(alias) == 1 {
			head = "-" + alias + ", " + head
		}
	}
	usage := d.GetUsage()
	if parts := strings.Split(usage, "`"); len(parts) == 3 {
		head += " " + parts[1]
		usage = strings.TrimPrefix(strings.Join(parts, ""), parts[1]+": ")
	} else if d.TakesValue() {
		head += " VALUE"
	}
	if !all {
		usage = optional.ReplaceAllString(usage, "")
	}
	if text := d.GetDefaultText(); d.TakesValue() && text != "" && text != `""` && text != "0" {
		usage += " (default: " + strings.Trim(text, `"`) + ")"
	}
	row(b, head, usage, 26)
}

// row writes a name and its meaning beside it, below it where the name is longer than the column.
func row(b *strings.Builder, name, meaning string, column int) {
	lines := wrapped(meaning, helpWidth-column-2)
	pad := "\n" + strings.Repeat(" ", column+2)
	if len(name) > column-2 {
		fmt.Fprintf(b, "  %s%s%s\n", name, pad, strings.Join(lines, pad))
		return
	}
	fmt.Fprintf(b, "  %-*s%s\n", column, name, strings.Join(lines, pad))
}

// indented joins lines, with first before the first and next between them.
func indented(lines []string, first, next string) string {
	return first + strings.Join(lines, next) + "\n"
}

// flowed breaks the paragraphs of a text at the width of helps. A line that begins with a space is one of
// a list: what follows its name hangs below its meaning.
func flowed(text string) string {
	var b strings.Builder
	var flow []string
	end := func() {
		if len(flow) > 0 {
			b.WriteString(strings.Join(wrapped(strings.Join(flow, " "), helpWidth), "\n") + "\n")
			flow = nil
		}
	}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if line != "" && line[0] != ' ' && !strings.HasSuffix(line, ":") {
			flow = append(flow, line)
			continue
		}
		if strings.HasSuffix(line, ":") && line[0] != ' ' {
			flow = append(flow, line)
			end()
			continue
		}
		end()
		b.WriteString(hung(line) + "\n")
	}
	end()
	return b.String()
}

// hung breaks a line of a list.
func hung(line string) string {
	if len(line) <= helpWidth {
		return line
	}
	indent := len(line) - len(strings.TrimLeft(line, " "))
	at := indent + 2
	if i := strings.Index(line[indent:], "  "); i > 0 {
		after := line[indent+i:]
		at = indent + i + len(after) - len(strings.TrimLeft(after, " "))
	}
	pad := "\n" + strings.Repeat(" ", at)
	return line[:at] + strings.Join(wrapped(line[at:], helpWidth-at), pad)
}
