package logs

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
)

// The figures of which users lose as they are drawn, from jobs' rows that are too many to be stored
// (tarry reproduce logs).
var (
	//go:embed data/users_mean.csv
	usersMean string
	//go:embed data/users_worst.csv
	usersWorst string
	//go:embed data/users_worse.csv
	usersWorse string
)

// column is a figure as columns of a table, one per setting.
type column struct {
	name, text string
	digits     int
}

func columns() []column {
	return []column{{"mean", usersMean, 1}, {"worst tenth", usersWorst, 1}, {"worse off, %", usersWorse, 0}}
}

// point names a number of a figure.
type point struct{ figure, setting, series string }

// payers is the table of the figures' numbers at a load: a row per scheduler, and for each setting
// a column per figure. "" = there is none.
func payers(of []column, l *load) (string, error) {
	cells := map[point]string{}
	var places, series []string
	for _, c := range of {
		lines, err := csv.NewReader(strings.NewReader(c.text)).ReadAll()
		if err != nil {
			return "", fmt.Errorf("users, %s: %w", c.name, err)
		}
		for n, line := range lines[min(1, len(lines)):] {
			if busy(line[0]) != l.busy {
				continue
			}
			text, err := interval(line, c.digits)
			if err != nil {
				return "", fmt.Errorf("users, %s, line %d: %w", c.name, n+2, err)
			}
			cells[point{c.name, line[0], line[1]}] = text
			places, series = with(places, line[0]), with(series, line[1])
		}
	}
	if len(cells) == 0 {
		return "", nil
	}
	var b strings.Builder
	b.WriteString("| learner |")
	for _, p := range places {
		for _, c := range of {
			fmt.Fprintf(&b, " %s: %s |", p, c.name)
		}
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(places)*len(of)) + "\n")
	for _, s := range series {
		fmt.Fprintf(&b, "| %s |", s)
		for _, p := range places {
			for _, c := range of {
				fmt.Fprintf(&b, " %s |", cells[point{c.name, p, s}])
			}
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// interval writes "value [low, high]" of a line: setting, series, value, low, high, windows.
func interval(line []string, digits int) (string, error) {
	if len(line) < 5 {
		return "", fmt.Errorf("%d fields, expected group, series, value, lo, hi", len(line))
	}
	var v [3]float64
	for i := range v {
		var err error
		if v[i], err = strconv.ParseFloat(line[2+i], 64); err != nil {
			return "", fmt.Errorf("%q is no number", line[2+i])
		}
	}
	return fmt.Sprintf("%.*f [%.*f, %.*f]", digits, v[0], digits, v[1], digits, v[2]), nil
}
