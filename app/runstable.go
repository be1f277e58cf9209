package app

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/output/results"
	"tarry/run/compare"
	"tarry/run/printed"
	"tarry/sim/param"
)

// sortRows orders rows by a column, numbers by size and what is missing last.
func sortRows(rows [][]compare.Cell, by string) error {
	name, down := strings.CutPrefix(by, "-")
	at := slices.IndexFunc(rows[0], func(k compare.Cell) bool { return k.Name == name })
	if at < 0 {
		return usageError{noColumn("--sort", name, rows[0])}
	}
	slices.SortStableFunc(rows, func(a, b []compare.Cell) int {
		x, y := cellText(a[at]), cellText(b[at])
		if gone := cmp.Compare(missing(x), missing(y)); gone != 0 {
			return gone
		}
		if down {
			x, y = y, x
		}
		p, err := strconv.ParseFloat(x, 64)
		q, err2 := strconv.ParseFloat(y, 64)
		if err == nil && err2 == nil {
			return cmp.Compare(p, q)
		}
		return cmp.Compare(x, y)
	})
	return nil
}

func missing(text string) int {
	if text == "" || text == "-" {
		return 1
	}
	return 0
}

// cellText is a cell as text.
func cellText(k compare.Cell) string {
	if k.IsText() {
		return k.Text
	}
	return k.Digits()
}

func noColumn(flag, name string, row []compare.Cell) error {
	var names []string
	for _, k := range row {
		names = append(names, k.Name)
	}
	return fmt.Errorf("%s: %q is no column, expected some of %s%s", flag, name, strings.Join(names, ", "),
		param.Hint(name, names))
}

// runColumns reads --columns.
func runColumns(c *cli.Context, row []compare.Cell) (printed.Shown, error) {
	text := c.String("columns")
	switch text {
	case "all":
		return printed.Shown{}, nil
	case "":
		return printed.Shown{Width: terminalWidth(c.App.Writer)}, nil
	}
	names := strings.Split(text, ",")
	for _, name := range names {
		if !slices.ContainsFunc(row, func(k compare.Cell) bool { return k.Name == name }) {
			return printed.Shown{}, usageError{noColumn("--columns", name, row)}
		}
	}
	return printed.Shown{Columns: names}, nil
}

// unprinted are the columns that are in the headline, below the table, or in the path.
func unprinted() []string {
	return []string{"best", "value", "diff", "diff_lo", "diff_hi", "error", "folder"}
}

// printRuns writes the rows for people, and errors below them.
func printRuns(c *cli.Context, rows [][]compare.Cell, shown printed.Shown) error {
	var g printed.Grid
	for _, row := range rows {
		for _, k := range row {
			if shown.Columns == nil && slices.Contains(unprinted(), k.Name) {
				continue
			}
			g.Add(k.Name, k.Name, cmp.Or(cellText(k), "-"))
		}
	}
	if err := g.Print(c.App.Writer, shown); err != nil {
		return err
	}
	fmt.Fprintln(c.App.Writer, "date: time of the newest table, UTC")
	return printFaults(c, rows)
}

// printFaults writes what could not be read.
func printFaults(c *cli.Context, rows [][]compare.Cell) error {
	var errs []error
	for _, row := range rows {
		at := slices.IndexFunc(row, func(k compare.Cell) bool { return k.Name == "error" })
		if at >= 0 && row[at].Text != "-" {
			_, err := fmt.Fprintf(c.App.Writer, "%s: %s\n", row[0].Text, row[at].Text)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// printBeside writes a column for each run and a row for each thing in which they differ.
func printBeside(c *cli.Context, rows [][]compare.Cell) error {
	t := textTable{width: terminalWidth(c.App.Writer)}
	for at, k := range rows[0] {
		if slices.Contains(unprinted(), k.Name) {
			continue
		}
		line := []string{k.Name}
		for _, row := range rows {
			line = append(line, cmp.Or(cellText(row[at]), "-"))
		}
		t.rows = append(t.rows, line)
	}
	t.print(c.App.Writer)
	return printFaults(c, rows)
}

// writeRuns writes the rows as one Parquet file.
func writeRuns(c *cli.Context, path string, rows [][]compare.Cell) error {
	var columns []results.Column
	for at, k := range rows[0] {
		col := results.Column{Name: k.Name}
		for _, row := range rows {
			if k.IsText() {
				col.Text = append(col.Text, row[at].Text)
			} else {
				col.Numbers = append(col.Numbers, row[at].Number)
			}
		}
		columns = append(columns, col)
	}
	meta := results.NewMeta("", "", "")
	meta.GoVersion, meta.GOARCH = "", ""
	if err := results.WriteColumns(c.Context, results.Target{Path: path, Meta: meta}, "runs", columns); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}
