// Package moved compares the tables of a page with what they were: which cells changed, and by how
// much.
package moved

import (
	"encoding/csv"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Table is how a table moved.
type Table struct {
	// Name is QUESTION/NAME of its mark.
	Name string
	// Cells is how many cells of numbers or texts the table has now, beside the labels of rows.
	Cells int
	// Changes are cells whose text is another one, in the order of the table. A row or a column that
	// came has Was "", one that went Is "".
	Changes []Change
}

// Change is a cell that moved.
type Change struct {
	// Row are the row's labels, Column the head of the column.
	Row, Column string
	// Was and Is are the texts.
	Was, Is string
}

// By is the difference of the first numbers of both texts; NaN where one of them has none.
func (c Change) By() float64 { return first(c.Is) - first(c.Was) }

// String is "ROW, COLUMN: WAS -> IS".
func (c Change) String() string {
	return fmt.Sprintf("%s, %s: %s -> %s", c.Row, c.Column, orNone(c.Was), orNone(c.Is))
}

func orNone(text string) string {
	if text == "" {
		return "(none)"
	}
	return text
}

// Largest is the change whose numbers differ most; ok is false where no change has numbers.
func (t *Table) Largest() (c Change, ok bool) {
	for _, one := range t.Changes {
		if d := math.Abs(one.By()); !math.IsNaN(d) && (!ok || d > math.Abs(c.By())) {
			c, ok = one, true
		}
	}
	return c, ok
}

// Blocks gives the tables of a question on a page by name: what stands between
// "<!-- table QUESTION/NAME -->" and "<!-- end -->".
func Blocks(page, question string) map[string]string {
	out := map[string]string{}
	for rest := page; ; {
		_, after, found := strings.Cut(rest, "<!-- table "+question+"/")
		if !found {
			return out
		}
		name, tail, ok := strings.Cut(after, " -->")
		text, behind, closed := strings.Cut(tail, "<!-- end -->")
		if !ok || !closed {
			return out
		}
		out[name], rest = strings.TrimPrefix(text, "\n"), behind
	}
}

// Compare holds a Markdown table against what it was.
func Compare(name, was, is string) Table {
	t := Table{Name: name}
	old, now := parse(was), parse(is)
	for _, k := range now.keys {
		t.Cells++
		if old.cells[k] != now.cells[k] {
			t.Changes = append(t.Changes, Change{k[0], k[1], old.cells[k], now.cells[k]})
		}
	}
	for _, k := range old.keys {
		if _, there := now.cells[k]; !there && old.cells[k] != "" {
			t.Changes = append(t.Changes, Change{k[0], k[1], old.cells[k], ""})
		}
	}
	if before, after := strings.TrimSpace(old.below), strings.TrimSpace(now.below); before != after {
		t.Changes = append(t.Changes, Change{"below the table", "text", before, after})
	}
	return t
}

// FromCSV gives a table of comma-separated text as Markdown, of which the first column labels rows.
func FromCSV(text string) (string, error) {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|---|" + strings.Repeat("---:|", len(row)-1) + "\n")
		}
	}
	return b.String(), nil
}

// grid is a Markdown table by labels of rows and heads of columns.
type grid struct {
	keys  [][2]string
	cells map[[2]string]string
	below string
}

// parse reads a table; lines that are of no table are the text below.
func parse(text string) grid {
	g := grid{cells: map[[2]string]string{}}
	var head []string
	labels, n := 1, 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			g.below += line + "\n"
			continue
		}
		cells := fields(line)
		switch n++; n {
		case 1:
			head = cells
		case 2:
			labels = max(1, slices.IndexFunc(cells, func(c string) bool { return strings.HasSuffix(c, ":") }))
			labels = min(labels, max(1, len(head)-1))
		default:
			g.row(head, cells, labels)
		}
	}
	return g
}

// row adds a row; one with the labels of another has a number behind them.
func (g *grid) row(head, cells []string, labels int) {
	if labels > len(cells) {
		return
	}
	label := strings.Join(cells[:labels], ", ")
	taken := func(l string) bool {
		return slices.ContainsFunc(g.keys, func(k [2]string) bool { return k[0] == l })
	}
	for i, plain := 2, label; taken(label); i++ {
		label = fmt.Sprintf("%s (%d)", plain, i)
	}
	for i := labels; i < len(cells) && i < len(head); i++ {
		k := [2]string{label, head[i]}
		if _, twice := g.cells[k]; twice {
			k[1] = fmt.Sprintf("%s (%d)", head[i], i)
		}
		g.keys, g.cells[k] = append(g.keys, k), cells[i]
	}
}

// fields splits a line at its bars; a bar behind a backslash is text.
func fields(line string) []string {
	const bar = "\x00"
	line = strings.ReplaceAll(strings.Trim(line, "|"), `\|`, bar)
	out := strings.Split(line, "|")
	for i := range out {
		out[i] = strings.ReplaceAll(strings.TrimSpace(out[i]), bar, `\|`)
	}
	return out
}

// first is the first number of a text; NaN when there is none.
func first(text string) float64 {
	found := regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?`).FindString(strings.ReplaceAll(text, " ", ""))
	v, err := strconv.ParseFloat(found, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}
