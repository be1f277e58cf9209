package app

import (
	"io"
	"strings"

	"tarry/output/dictionary"
)

// tableEntries lists the tables that commands write.
func tableEntries() []entry {
	var out []entry
	for _, t := range dictionary.Tables() {
		out = append(out, entry{Name: t.Name, Doc: t.What, More: "written by " + strings.ReplaceAll(t.Where, "`", "")})
	}
	return out
}

// columnsOfTable has the columns of a table of results; nil where it is none.
func columnsOfTable(name string) []dictionary.Column {
	for _, t := range dictionary.Tables() {
		if t.Name == name {
			return t.Columns
		}
	}
	return nil
}

// printColumns writes the columns of a table of results: the keys, which name the trial, then the others.
func printColumns(w io.Writer, all []dictionary.Column) error {
	rows := [][]string{{"COLUMN", "TYPE", "UNIT", "MEANING"}}
	for _, c := range all {
		doc := c.Doc
		if c.Missing != "" {
			doc += " (missing is " + c.Missing + ")"
		}
		rows = append(rows, []string{c.Name, c.Type, c.Unit, doc})
	}
	return printRows(w, rows)
}
