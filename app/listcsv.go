package app

import (
	"encoding/csv"
	"io"
	"slices"
)

// entriesCSV writes entries as CSV, with the columns in which one of them has something.
func entriesCSV(w io.Writer, all []entry) error {
	heads := []string{"name", "doc", "more", "paper", "knows", "decides", "flag", "unit", "range", "default", "needed",
		"also_read", "map_from"}
	rows := make([][]string, len(all))
	for i, e := range all {
		row := append(make([]string, 0, len(heads)), e.Name, e.Doc, e.More, e.Paper, e.Knows, e.Decides, "", "", "", "",
			"", "", "")
		if s := e.Setting; s != nil {
			copy(row[6:], []string{s.Flag, s.Unit, s.Range, s.Default})
		}
		if c := e.Column; c != nil {
			row[7] = c.Unit
			copy(row[10:], []string{c.Needed, c.Spellings, c.Mapped})
		}
		rows[i] = row
	}
	for at := len(heads) - 1; at >= 2; at-- {
		if !slices.ContainsFunc(rows, func(row []string) bool { return row[at] != "" }) {
			heads = slices.Delete(heads, at, at+1)
			for i := range rows {
				rows[i] = slices.Delete(rows[i], at, at+1)
			}
		}
	}
	out := csv.NewWriter(w)
	return out.WriteAll(append([][]string{heads}, rows...))
}
