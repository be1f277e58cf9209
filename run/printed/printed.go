// Package printed prints the rows of a result for people: columns aligned to the right, by name, or
// as many as fit a terminal.
//
// Reading guide: Grid holds columns, Print writes them, Shown states which; order is which go first
// where there is no room.
package printed

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"unicode/utf8"
)

// Shown states which columns are printed. The zero value prints all.
type Shown struct {
	// Columns are names; nil = all for which there is room. The first column is always printed.
	Columns []string
	// Width is the room in columns of a terminal; 0 = no bound. It counts where Columns is nil.
	Width int
}

// Column is a column of texts, one for each row.
type Column struct {
	// Name is the column's in JSON and CSV, Head what is printed above it.
	Name, Head string
	Cells      []string
}

// Grid is a table.
type Grid struct{ Columns []Column }

// Add appends a cell to the column of that name, which it makes at the end where there is none.
func (g *Grid) Add(name, head, cell string) {
	i := slices.IndexFunc(g.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		i = len(g.Columns)
		g.Columns = append(g.Columns, Column{Name: name, Head: head})
	}
	g.Columns[i].Cells = append(g.Columns[i].Cells, cell)
}

// Print writes the columns, and below them how many had no room.
func (g *Grid) Print(w io.Writer, shown Shown) error {
	columns, left := g.choose(shown)
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	for i := -1; i < len(g.Columns[0].Cells); i++ {
		for _, c := range columns {
			if i < 0 {
				fmt.Fprintf(t, "%s\t", c.Head)
			} else {
				fmt.Fprintf(t, "%s\t", c.Cells[i])
			}
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil || len(left) == 0 {
		return err
	}
	_, err := fmt.Fprintf(w, "no room for %d more columns: --columns all, or --columns with names, prints them\n",
		len(left))
	return err
}

// choose gives the columns that are printed, and the names of columns for which there is no room.
func (g *Grid) choose(shown Shown) (columns []Column, left []string) {
	if shown.Columns != nil {
		return slices.DeleteFunc(slices.Clone(g.Columns), func(c Column) bool {
			return c.Name != g.Columns[0].Name && !slices.Contains(shown.Columns, c.Name)
		}), nil
	}
	columns = slices.Clone(g.Columns)
	total := 0
	for _, c := range columns {
		total += c.width()
	}
	for _, name := range g.order() {
		if shown.Width == 0 || total <= shown.Width {
			break
		}
		i := slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
		total -= columns[i].width()
		columns, left = slices.Delete(columns, i, i+1), append(left, name)
	}
	return columns, left
}

// width is what a column takes, with the gap before it.
func (c *Column) width() int {
	n := utf8.RuneCountInString(c.Head)
	for _, text := range c.Cells {
		n = max(n, utf8.RuneCountInString(text))
	}
	return n + 2
}

// order lists the columns that may go, the first to go first: counts that are 0 for all, then what
// is read least, then all others from the end. The first column, mean completion times and
// differences stay.
func (g *Grid) order() []string {
	var zero, rest []string
	least := []string{"jobs", "finished", "refused", "rejected", "unfinished", "comm_mean_s", "makespan_s",
		"queue_p99_s", "jct_p50_s", "comm_frac", "preemptions", "jct_p95_s", "jct_iqm_s", "gpu_util_frac"}
	some := map[string]bool{}
	for i := len(g.Columns) - 1; i > 0; i-- {
		switch c := &g.Columns[i]; {
		case slices.Contains(kept(), c.Name):
		case !slices.ContainsFunc(c.Cells, func(text string) bool { return text != "0" }):
			zero = append(zero, c.Name)
		case slices.Contains(least, c.Name):
			some[c.Name] = true
		default:
			rest = append(rest, c.Name)
		}
	}
	least = slices.DeleteFunc(least, func(name string) bool { return !some[name] })
	return slices.Concat(zero, least, rest)
}

// kept are the columns that are printed whatever the width.
func kept() []string { return []string{"jct_mean_s", "jct_mean_diff_s", "improvement"} }
