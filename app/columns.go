package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/run/compare"
	"tarry/run/printed"
	"tarry/sim/param"
)

// columnsFlag is the flag of the columns of a result.
func columnsFlag() cli.Flag {
	return &cli.StringFlag{Name: "columns", DefaultText: "as many as fit the terminal; all in a file or a pipe",
		Usage: "`NAMES` of the result's columns, joined by commas, or all (--help-all lists them)"}
}

// shownOf reads --columns; more are names that a command has beside the names of compare.
func shownOf(c *cli.Context, more ...string) (printed.Shown, error) {
	text := c.String("columns")
	switch text {
	case "all":
		return printed.Shown{}, nil
	case "":
		return printed.Shown{Width: terminalWidth(c.App.Writer)}, nil
	}
	names := append(compare.Names(), more...)
	out := strings.Split(text, ",")
	for _, name := range out {
		if !slices.Contains(names, name) && !strings.HasPrefix(name, "gpu_util_frac_") {
			return printed.Shown{}, usageError{fmt.Errorf("--columns: %q is no column, expected all or some of %s%s", name,
				strings.Join(names, ", "), param.Hint(name, names))}
		}
	}
	return printed.Shown{Columns: out}, nil
}

// shownCells takes the cells that --columns names, and the first column, which names the row.
func shownCells(rows [][]compare.Cell, shown printed.Shown, first string) [][]compare.Cell {
	if shown.Columns == nil {
		return rows
	}
	for i, row := range rows {
		rows[i] = slices.DeleteFunc(row, func(k compare.Cell) bool {
			return k.Name != first && !slices.Contains(shown.Columns, k.Name)
		})
	}
	return rows
}
