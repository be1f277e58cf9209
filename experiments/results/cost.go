package results

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarry/internal/stats"
)

// costs is the result of BenchmarkCost (docs/explain/method.md).
//
//go:embed data/cost.txt
var costs string

// costUnits are the units of BenchmarkCost's numbers, in the order of the table.
func costUnits() []string { return []string{"cpu-s/training", "us/answer", "us/decision"} }

// costTable has, per learner, the mean over training seeds of each number with its 95 % interval.
func costTable(text string) string {
	var names []string
	values := map[[2]string][]float64{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		path := strings.Split(fields[0], "/")
		if path[0] != "BenchmarkCost" || len(path) < 2 {
			continue
		}
		name := path[1]
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		for i := 1; i < len(fields); i++ {
			if v, err := strconv.ParseFloat(fields[i-1], 64); err == nil {
				values[[2]string{name, fields[i]}] = append(values[[2]string{name, fields[i]}], v)
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| learner | processor time of one training, s | one answer of the network, µs | one decision, " +
		"simulation included, µs |\n|---|---:|---:|---:|\n")
	for _, name := range names {
		fmt.Fprintf(&b, "| %s |", name)
		for _, unit := range costUnits() {
			cell := "-"
			if v := values[[2]string{name, unit}]; len(v) > 0 {
				iv := stats.Amounts(v)
				cell = fmt.Sprintf("%.1f", iv.Point)
				if iv.N > 1 {
					cell += fmt.Sprintf(" [%.1f, %.1f]", iv.Lo, iv.Hi)
				}
			}
			b.WriteString(" " + cell + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}
