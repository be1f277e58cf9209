package app

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/internal/legible"
	"tarry/internal/rundir"
	"tarry/run/compare"
	"tarry/run/runs"
)

func (from program) runsCommand() *cli.Command {
	return &cli.Command{
		Name:  "runs",
		Usage: "list the runs below a folder with the settings in which they differ, or compare some side by side",
		UsageText: "tarry runs\n" +
			"tarry runs runs --where kind=compare --where seed=1 --sort value\n" +
			"tarry runs runs/a runs/b",
		Description: "DIR is runs by default, or else the current folder; up to three levels are read. A row has the " +
			"path, the kind, the status (finished, running, interrupted, broken), the date, which is\n" +
			"the time of the newest table, for results hold none, policies or agent, the headline, and the settings " +
			"in which the listed runs differ.\n" +
			"The headline is the least mean completion time (outside the simulator, cost) and its difference to the " +
			"first policy with a 95 % interval over replicates (compare,\n" +
			"eval), the last return on validation (train), the least change of what is tuned (tune), or how many " +
			"cells are done (sweep).\n" +
			"A run that cannot be read is a row with its error.",
		ArgsUsage: "[DIR | RUN RUN...]",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "where", Usage: "only runs with `KEY=VALUE`: a setting, kind, policy or agent; " +
				"repeatable, all must match"},
			&cli.StringFlag{Name: "sort", Usage: "in the order of `COLUMN`, with - in front from the largest"},
			&cli.BoolFlag{Name: "all", Usage: "print the settings that all runs share above the table"},
			&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT` of the result: table, json or csv"},
			&cli.StringFlag{Name: "columns", DefaultText: "as many as fit the terminal; all in a file or a pipe",
				Usage: "`NAMES` of columns, joined by commas, or all"},
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "write the rows into `FILE`.parquet as well"},
		},
		OnUsageError: onUsageError,
		Action:       anyOrder(listRuns),
	}
}

// listRuns prints the runs below a folder, or several runs side by side.
func listRuns(c *cli.Context) error {
	format, err := formatOf(c)
	if err != nil {
		return usageError{err}
	}
	if out := c.String("out"); out != "" && filepath.Ext(out) != ".parquet" {
		return usageError{fmt.Errorf("--out: %q, expected a name that ends in .parquet", out)}
	}
	all, err := runsGiven(c)
	if err != nil {
		return err
	}
	differ, common := runs.Differing(all)
	rows := runRows(all, differ)
	if by := c.String("sort"); by != "" {
		if err := sortRows(rows, by); err != nil {
			return err
		}
	}
	if out := c.String("out"); out != "" {
		if err := writeRuns(c, out, rows); err != nil {
			return err
		}
	}
	shown, err := runColumns(c, rows[0])
	if err != nil {
		return err
	}
	switch format {
	case "json":
		return printJSON(c.App.Writer, shownCells(rows, shown, "path"))
	case "csv":
		return printCSV(legible.Under(c.App.Writer), shownCells(rows, shown, "path"))
	}
	if c.Bool("all") {
		for _, key := range common {
			fmt.Fprintf(c.App.Writer, "%s=%s\n", key, firstSetting(all, key))
		}
	}
	if c.NArg() > 1 {
		return printBeside(c, rows)
	}
	return printRuns(c, rows, shown)
}

// runsGiven reads the runs that the arguments name, as far as --where lets them pass; none is an
// error.
func runsGiven(c *cli.Context) ([]runs.Run, error) {
	dirs := c.Args().Slice()
	if len(dirs) == 0 {
		dirs = []string{"."}
		if info, err := os.Stat("runs"); err == nil && info.IsDir() {
			dirs[0] = "runs"
		}
	}
	var all []runs.Run
	for i, name := range rundir.Names(dirs) {
		if len(dirs) > 1 && rundir.KindOf(dirs[i]) == "" {
			return nil, usageError{fmt.Errorf("%s is no run, expected the folders of several runs, or one folder that "+
				"holds runs", dirs[i])}
		}
		some, err := runs.List(c.Context, dirs[i], runtime.GOMAXPROCS(0))
		if err != nil {
			return nil, usageError{err}
		}
		if len(dirs) > 1 {
			some[0].Name = name
		}
		all = append(all, some...)
	}
	for _, w := range c.StringSlice("where") {
		key, value, ok := strings.Cut(w, "=")
		if !ok {
			return nil, usageError{fmt.Errorf("--where: %q, expected KEY=VALUE", w)}
		}
		all = slices.DeleteFunc(all, func(r runs.Run) bool { return !r.Matches(key, value) })
	}
	if len(all) == 0 {
		passes := ""
		if c.IsSet("where") {
			passes = " that --where lets pass"
		}
		return nil, usageError{fmt.Errorf("no run in %s%s, %s", strings.Join(dirs, ", "), passes, rundir.Expected)}
	}
	return all, nil
}

func firstSetting(all []runs.Run, key string) string {
	for _, r := range all {
		if v := r.Setting(key); v != "" {
			return v
		}
	}
	return ""
}

// runRows gives a row of cells for each run; a text that is missing is "-".
func runRows(all []runs.Run, differ []string) [][]compare.Cell {
	var out [][]compare.Cell
	for i := range all {
		r := &all[i]
		date := "-"
		if !r.Date.IsZero() {
			date = r.Date.UTC().Format("2006-01-02 15:04:05Z")
		}
		h := &r.Headline
		fault := "-"
		if r.Err != nil {
			fault = strings.ReplaceAll(r.Err.Error(), "\n", "; ")
		}
		text := func(name, s string) compare.Cell { return compare.Cell{Name: name, Text: cmp.Or(s, "-")} }
		row := []compare.Cell{text("path", r.Name), text("kind", r.Kind),
			text("status", string(r.Status)), text("date", date),
			text("headline", headline(r)), text("what", r.What), text("best", h.Best), {Name: "value", Number: h.Value},
			{Name: "diff", Number: h.Diff.Point}, {Name: "diff_lo", Number: h.Diff.Lo},
			{Name: "diff_hi", Number: h.Diff.Hi}, text("error", fault), text("folder", r.Dir)}
		own := len(row)
		for _, key := range differ {
			name := key
			if slices.ContainsFunc(row[:own], func(k compare.Cell) bool { return k.Name == key }) {
				name = "settings." + key
			}
			row = append(row, text(name, r.Setting(key)))
		}
		out = append(out, row)
	}
	return out
}

// headline states a run's main number for people.
func headline(r *runs.Run) string {
	h := &r.Headline
	switch {
	case r.Kind == "sweep" && h.Cells > 0:
		return fmt.Sprintf("%d of %d cells done", h.Done, h.Cells)
	case math.IsNaN(h.Value) && r.Err != nil:
		return "cannot be read"
	case math.IsNaN(h.Value):
		return "-"
	case r.Kind == "train":
		return fmt.Sprintf("validation %.4g", h.Value)
	case r.Kind == "tune":
		return fmt.Sprintf("%+.1f %%", 100*h.Value)
	}
	number, signed, unit := "%.0f", "%+.0f", "s"
	if h.Cost != "" {
		number, signed, unit = "%.4g", "%+.4g", h.Cost
	}
	text := fmt.Sprintf("%s "+number+" %s", h.Best, h.Value, unit)
	switch {
	case h.Best == h.First:
	case math.IsNaN(h.Diff.Point):
		text += " (other jobs than " + h.First + ")"
	case math.IsNaN(h.Diff.Lo):
		text += fmt.Sprintf(", "+signed+" to %s", h.Diff.Point, h.First)
	default:
		text += fmt.Sprintf(", "+signed+" ["+signed+", "+signed+"] to %s", h.Diff.Point, h.Diff.Lo, h.Diff.Hi, h.First)
	}
	return text
}
