package logs

import (
	"fmt"
	"slices"
	"strings"

	"tarry/experiments/digest"
	rows "tarry/output/results"
)

// chosen is the table of what tuning chose, a row per setting; "" = nothing was tuned.
func chosen(d digest.Cells, evals []rows.Eval) string {
	cells := map[[2]string]string{}
	var places, names []string
	for i := range evals {
		c, ok := d.Cell(evals[i].Keys)
		if !ok || c.Kind != "tune" || evals[i].Agent == "" {
			continue
		}
		at := [2]string{c.Axes["setting"], c.Axes["learner"]}
		places, names = with(places, at[0]), with(names, at[1])
		cells[at] = "`" + evals[i].Policy + "`"
	}
	if len(cells) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| setting | %s |\n|---|%s\n", strings.Join(names, " | "), strings.Repeat("---|", len(names)))
	for _, p := range places {
		fmt.Fprintf(&b, "| %s |", p)
		for _, n := range names {
			b.WriteString(" " + cells[[2]string{p, n}] + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// with adds a name that is not there.
func with(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}
