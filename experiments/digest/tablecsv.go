package digest

import (
	"bytes"
	"encoding/csv"
	"regexp"
	"strings"
)

// CSV gives a table of a page as comma-separated text for other programs. A column that holds
// "value [low, high]" becomes three: its name, and its name with "low" and "high" behind it. Digits
// are as on the page; a column without a value anywhere stays one column.
func CSV(markdown string) (string, error) {
	interval := regexp.MustCompile(`^(.*?)(-?[0-9.]+) \[(-?[0-9.]+), (-?[0-9.]+)\]$`)
	var rows [][]string
	for line := range strings.Lines(markdown) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "|---") || !strings.HasPrefix(line, "|") { // sentences below it
			continue
		}
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
		for i := range cells {
			cells[i] = strings.ReplaceAll(strings.TrimSpace(cells[i]), "`", "")
		}
		rows = append(rows, cells)
	}
	if len(rows) == 0 {
		return "", nil
	}
	wide := make([]bool, len(rows[0]))
	for _, row := range rows[1:] {
		for i := range wide {
			wide[i] = wide[i] || i < len(row) && interval.MatchString(row[i])
		}
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	for r, row := range rows {
		if err := w.Write(threefold(r == 0, row, wide, interval)); err != nil {
			return "", err
		}
	}
	w.Flush()
	return out.String(), w.Error()
}

// threefold gives the cells of one row, three for each wide column.
func threefold(head bool, row []string, wide []bool, interval *regexp.Regexp) []string {
	var out []string
	for i, three := range wide {
		cell := ""
		if i < len(row) {
			cell = row[i]
		}
		if !three {
			out = append(out, cell)
			continue
		}
		switch m := interval.FindStringSubmatch(cell); {
		case head:
			out = append(out, cell, cell+" low", cell+" high")
		case m == nil:
			out = append(out, cell, "", "")
		default:
			out = append(out, m[1]+m[2], m[3], m[4])
		}
	}
	return out
}

// Below gives the paragraphs below a table of a page, which CSV leaves out: what its marks mean, and
// which rows are overloaded.
func Below(markdown string) []string {
	var out []string
	for line := range strings.Lines(markdown) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "|") {
			out = append(out, line)
		}
	}
	return out
}
