package digest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/internal/stats"
	"tarry/output/figure"
	"tarry/output/knows"
	"tarry/sim/param"
)

// Share gives, per series, the share of units in per cent on which its number is smaller than the
// base's, ties half, with the 95 % interval of a proportion over both levels: the paired
// probability of improvement.
func (t *Table) Share(base string) ([]figure.Series, error) {
	b := slices.Index(t.Series, base)
	if b < 0 {
		return nil, fmt.Errorf("no series is called %s%s", base, param.Hint(base, t.Series))
	}
	return t.series(func(p place, c *cell) stats.Interval {
		with := t.cells[place{p.x, b}]
		if with == nil || p.series == b {
			return nothing()
		}
		units := both(c.units, with.units)
		if len(units) == 0 {
			return nothing()
		}
		iv := estimate(stats.Share, func(g []stats.Grid) float64 { return stats.Below(g[0], g[1]) },
			c.grid(c.seeds, units), with.grid(with.seeds, units))
		iv.Point, iv.Lo, iv.Hi = 100*iv.Point, 100*iv.Lo, 100*iv.Hi
		return iv
	}), nil
}

// Markdown writes series as a table: a row per series that has a number, a column per value of X,
// each cell the number with its interval.
func (t *Table) Markdown(s []figure.Series, digits int) string {
	var b strings.Builder
	head := t.layout.Series
	fmt.Fprintf(&b, "| %s |", head)
	for _, x := range t.X {
		if x == "" { // one column, of no value
			x = t.layout.Metric.Label
		}
		fmt.Fprintf(&b, " %s |", x)
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(t.X)) + "\n")
	for _, one := range s {
		if !slices.ContainsFunc(one.Y, func(v float64) bool { return !math.IsNaN(v) }) {
			continue
		}
		fmt.Fprintf(&b, "| %s |", t.shown(one.Name))
		for i, v := range one.Y {
			b.WriteString(" " + number(v, one.Lo[i], one.Hi[i], digits) + t.mark(t.X[i], one.Name) + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// transposed writes series as a table: a row per value of X that has a number, a column per series
// that has one.
func (t *Table) transposed(s []figure.Series, digits int) string {
	s = slices.DeleteFunc(slices.Clone(s), func(one figure.Series) bool { return !slices.ContainsFunc(one.Y, known) })
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |", t.layout.X)
	for _, one := range s {
		fmt.Fprintf(&b, " %s |", t.shown(one.Name))
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(s)) + "\n")
	for i, x := range t.X {
		if !slices.ContainsFunc(s, func(one figure.Series) bool { return known(one.Y[i]) }) {
			continue
		}
		fmt.Fprintf(&b, "| %s |", x)
		for _, one := range s {
			b.WriteString(" " + number(one.Y[i], one.Lo[i], one.Hi[i], digits) + t.mark(x, one.Name) + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// shown is the name of a series, with a mark if it is clairvoyant. "a against b" is marked in both.
func (t *Table) shown(name string) string {
	one, other, two := strings.Cut(name, " against ")
	if two {
		return t.shown(one) + " against " + t.shown(other)
	}
	text := name
	if slices.Contains(t.starred, name) {
		text += knows.Mark
	}
	if slices.Contains(t.layout.chosen, name) {
		text += chosenMark
	}
	return text
}

// mark is the mark of a number whose series validation chose at a value of X; "" = it did not.
func (t *Table) mark(x, series string) string {
	if t.layout.chosenAt[[2]string{x, series}] {
		return chosenMark
	}
	return ""
}

// key explains the marks below a table that has some; "" = it has none.
func (t *Table) key(table string) string {
	text := ""
	for _, name := range t.starred {
		if strings.Contains(table, name+knows.Mark) {
			text = "\n\\" + knows.Key + ".\n"
			break
		}
	}
	switch {
	case !strings.Contains(table, chosenMark):
	case len(t.layout.chosenAt) > 0:
		text += "\n" + chosenHere + ".\n"
	default:
		text += "\n" + chosenKey + ".\n"
	}
	return text
}

func number(v, lo, hi float64, digits int) string {
	switch {
	case math.IsNaN(v):
		return ""
	case math.IsNaN(lo):
		return decimal(v, digits)
	}
	return fmt.Sprintf("%s [%s, %s]", decimal(v, digits), decimal(lo, digits), decimal(hi, digits))
}

// decimal writes a number; what rounds to 0 has no sign.
func decimal(v float64, digits int) string {
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if plain, negative := strings.CutPrefix(text, "-"); negative && strings.Trim(plain, "0.") == "" {
		return plain
	}
	return text
}

// The marks between which a page holds a table that is made.
const (
	tableMark = "<!-- table "
	endMark   = "<!-- end -->"
)

// Fill replaces the text between "<!-- table OF/NAME -->" and "<!-- end -->" in each page by the
// table of that name. Marks of other questions stay as they are, and a table may stand on several
// pages. Errors are a name without a table, a mark without an end and, unless each table is a file as well
// (apart), a table that no page has a place for; all of them are reported.
func Fill(pages []string, of string, tables map[string]string, apart bool) ([]string, error) {
	out := make([]string, len(pages))
	used := map[string]bool{}
	var errs []string
	for i, page := range pages {
		var wrong []string
		out[i], wrong = fillPage(page, of, tables, used)
		errs = append(errs, wrong...)
	}
	for _, name := range sortedKeys(tables) {
		if !used[name] && !apart {
			errs = append(errs,
				fmt.Sprintf("no page has a place for the table %q, expected a line %s%s --> and one %s", of+"/"+name,
					tableMark, of+"/"+name, endMark))
		}
	}
	if len(errs) > 0 {
		return nil, fmt.Errorf("%s", strings.Join(errs, "\n"))
	}
	return out, nil
}

// fillPage fills one page, marks the names that it used, and gives what is wrong.
func fillPage(page, of string, tables map[string]string, used map[string]bool) (string, []string) {
	var out strings.Builder
	var errs []string
	rest := page
	for {
		before, after, found := strings.Cut(rest, tableMark)
		out.WriteString(before)
		if !found {
			return out.String(), errs
		}
		full, tail, ok := strings.Cut(after, " -->")
		old, behind, closed := strings.Cut(tail, endMark)
		name, ours := strings.CutPrefix(full, of+"/")
		if !ok || !closed {
			return "", append(errs, fmt.Sprintf("the table %q has no end, expected %s behind it",
				strings.TrimSpace(full), endMark))
		}
		rest = behind
		if !ours {
			out.WriteString(tableMark + full + " -->" + old + endMark)
			continue
		}
		if tables[name] == "" {
			errs = append(errs, fmt.Sprintf("there is no table %q", full))
		}
		used[name] = true
		out.WriteString(tableMark + full + " -->\n" + tables[name] + endMark)
	}
}

func sortedKeys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
