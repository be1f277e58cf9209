package app

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"tarry/output/knows"
	"tarry/run/listing"
)

// entry is one line of a list.
type entry = listing.Entry

// lists names what can be listed.
func (from program) lists() []listing.List {
	return append(listing.All(&from.Catalogues, from.more...),
		listing.List{Name: "questions", Usage: "the shipped questions, what is expected, and how many cells they have",
			Entries: from.questionEntries},
		listing.List{Name: "tables", Usage: "the tables of results, and with a name the columns of one: unit, meaning and " +
			"what a missing value stands for", Entries: tableEntries})
}

func (from program) listCommand() *cli.Command {
	lists := from.lists()
	k := &cli.Command{Name: "list", Usage: "list policies, traces, speed models and all else that has a name, or all " +
		"about one of them",
		OnUsageError: onUsageError, Action: unknownCommand}
	for _, l := range lists {
		k.Subcommands = append(k.Subcommands, &cli.Command{Name: l.Name, Usage: l.Usage, ArgsUsage: "[NAME]",
			OnUsageError: onUsageError,
			Flags: []cli.Flag{&cli.StringFlag{Name: "format", Value: "table",
				Usage: "`FORMAT`: table, csv or json (one object per line)"}},
			Action: anyOrder(func(c *cli.Context) error {
				if c.NArg() > 1 {
					return usageError{fmt.Errorf("%d names, expected one: tarry list %s NAME", c.NArg(), l.Name)}
				}
				if c.NArg() == 1 {
					return from.printOne(c, l.Name, l.Entries())
				}
				return printEntries(c, l.Name, l.Entries())
			})})
	}
	return k
}

// knowsHelp explains the column KNOWS.
const knowsHelp = `KNOWS is what is read of jobs beyond what they ask for and the times that a cluster measures, with
the default settings: done, the work done so far; estimate, of all its work, which is the work
itself unless --predict or --estimate-error states otherwise; work, how much there is and is left;
history, the work of earlier jobs; speed, what the speed model predicts`

func printEntries(c *cli.Context, list string, all []entry) error {
	switch format := c.String("format"); format {
	case "json":
		out := json.NewEncoder(c.App.Writer)
		for _, e := range all {
			if err := out.Encode(e); err != nil {
				return err
			}
		}
		return nil
	case "csv":
		return entriesCSV(c.App.Writer, all)
	case "table":
		switch {
		case slices.ContainsFunc(all, func(e entry) bool { return e.Setting != nil }):
			return settingTable(tabwriter.NewWriter(c.App.Writer, 0, 8, 2, ' ', 0), all)
		case slices.ContainsFunc(all, func(e entry) bool { return e.Column != nil }):
			_, err := fmt.Fprintln(c.App.Writer, strings.Join(columnsOfJobs(), "\n"))
			return err
		}
		return entryTable(c.App.Writer, list, all)
	default:
		return usageError{fmt.Errorf("--format: %q, expected table, csv or json", format)}
	}
}

// entryTable prints a line for each entry, cut at the width of a terminal; a file or a pipe gets it
// whole.
func entryTable(w io.Writer, list string, all []entry) error {
	t := textTable{width: terminalWidth(w)}
	know := slices.ContainsFunc(all, func(e entry) bool { return e.Knows != "" })
	paper := slices.ContainsFunc(all, func(e entry) bool { return e.Paper != "" })
	add := func(name, knows, published, what string) {
		cells := []string{name}
		if know {
			cells = append(cells, knows)
		}
		if paper {
			cells = append(cells, published)
		}
		t.rows = append(t.rows, append(cells, what))
	}
	more := slices.ContainsFunc(all, func(e entry) bool { return e.More != "" })
	switch {
	case slices.ContainsFunc(all, func(e entry) bool { return e.Decides != "" }):
		t = policyTable(cmp.Or(t.width, helpWidth), all)
	default:
		if know || paper {
			add("NAME", "KNOWS", "PAPER", "WHAT")
		}
		for _, e := range all {
			add(e.Name, knows.Marked(cmp.Or(e.Knows, "-"), e.Knows), venue(e.Paper), e.Doc)
		}
	}
	t.print(w)
	if know {
		fmt.Fprintf(w, "\n%s\n%s\n", knows.Key, knowsHelp)
	}
	if more {
		fmt.Fprintf(w, "\ntarry list %s NAME prints all about one of them\n", list)
	}
	return nil
}

// policyTable has a line of at most so many columns for each policy: its name, its paper, what it
// reads of jobs, and what it decides.
func policyTable(width int, all []entry) textTable {
	t := textTable{width: width, rows: [][]string{{"NAME", "PAPER", "KNOWS", "DECIDES"}}}
	for _, e := range all {
		known := cut(cmp.Or(e.Knows, "-"), narrow-1)
		t.rows = append(t.rows, []string{e.Name, shortVenue(e.Paper), knows.Marked(known, e.Knows),
			cmp.Or(strings.ReplaceAll(e.Decides, "`", ""), e.Doc)})
	}
	return t
}

// venue is where and when a paper appeared, without its authors.
func venue(paper string) string {
	if _, where, ok := strings.Cut(paper, ", "); ok {
		return where
	}
	return cmp.Or(paper, "-")
}

// shortVenue is the first venue of a paper in a narrow column: the name, cut where it is long, and
// the year.
func shortVenue(paper string) string {
	where, _, _ := strings.Cut(venue(paper), ";")
	if len(where) <= narrow {
		return where
	}
	name, _, _ := strings.Cut(where, ",")
	year := where[strings.LastIndex(where, " "):]
	return cut(strings.TrimRight(name, " ()0123456789"), narrow-len(year)) + year
}

// settingTable has a line for each setting.
func settingTable(t *tabwriter.Writer, all []entry) error {
	fmt.Fprintln(t, "SETTING\tFLAG\tUNIT\tDEFAULT\tMEANING\tVALUES")
	for _, e := range all {
		c := e.Setting
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", e.Name, cmp.Or(c.Flag, "-"), cmp.Or(c.Unit, "-"),
			cmp.Or(c.Default, "-"), e.Doc, c.Range)
	}
	return t.Flush()
}
