package app

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/urfave/cli/v2"

	"tarry/internal/legible"
	"tarry/run/compare"
)

// printSummary writes the result in the format that was asked for. compared adds the differences.
func printSummary(c *cli.Context, sums []*compare.Row, compared bool) error {
	format, err := formatOf(c)
	if err != nil {
		return usageError{err}
	}
	shown, err := shownOf(c)
	if err != nil {
		return err
	}
	var rows [][]compare.Cell
	for _, m := range sums {
		rows = append(rows, m.Cells(compared))
	}
	rows = shownCells(rows, shown, "policy")
	switch format {
	case "json":
		return printJSON(c.App.Writer, rows)
	case "csv":
		return printCSV(legible.Under(c.App.Writer), rows)
	}
	return compare.Table(c.App.Writer, sums, compared, shown)
}

// printJSON writes one object per line; a number that is missing is null.
func printJSON(w io.Writer, rows [][]compare.Cell) error {
	for _, row := range rows {
		line := []byte("{")
		for i, k := range row {
			if i > 0 {
				line = append(line, ", "...)
			}
			line = append(strconv.AppendQuote(line, k.Name), ": "...)
			switch v := k.Digits(); {
			case k.IsText():
				text, err := json.Marshal(k.Text)
				if err != nil {
					return err
				}
				line = append(line, text...)
			case v == "":
				line = append(line, "null"...)
			default:
				line = append(line, v...)
			}
		}
		if _, err := fmt.Fprintf(w, "%s}\n", line); err != nil {
			return err
		}
	}
	return nil
}

// printCSV writes a header and one row after another; a number that is missing is empty.
func printCSV(w io.Writer, rows [][]compare.Cell) error {
	out := csv.NewWriter(w)
	for i, cells := range rows {
		var head, row []string
		for _, k := range cells {
			head = append(head, k.Name)
			if k.IsText() {
				row = append(row, k.Text)
			} else {
				row = append(row, k.Digits())
			}
		}
		if i == 0 {
			out.Write(head) // errors are kept until Flush
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}
