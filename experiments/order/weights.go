package order

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/internal/stats"
)

// weights are the weights of every training of order-linear: setting, seed, name, value (tarry
// reproduce order).
//
//go:embed data/weights.csv
var weights string

// weightTable has, per weight and workload, the mean over training seeds with its 95 % interval;
// only weights whose interval leaves 0 on some workload, and what is no weight.
func weightTable(text string) string {
	var names, places []string
	values := map[[2]string][]float64{}
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), ",")
		if len(f) != 4 {
			continue
		}
		v, err := strconv.ParseFloat(f[3], 64)
		if err != nil {
			continue
		}
		if !slices.Contains(names, f[2]) {
			names = append(names, f[2])
		}
		if !slices.Contains(places, f[0]) {
			places = append(places, f[0])
		}
		values[[2]string{f[0], f[2]}] = append(values[[2]string{f[0], f[2]}], v)
	}
	if len(names) == 0 {
		return ""
	}
	order := func(name string) int { return slices.Index(settings(), name) }
	slices.SortStableFunc(places, func(a, b string) int { return cmp.Compare(order(a), order(b)) })
	var b strings.Builder
	fmt.Fprintf(&b, "| weight | %s |\n|---|%s\n", strings.Join(places, " | "), strings.Repeat("---:|", len(places)))
	for _, name := range names {
		row, clear := "| "+name+" |", false
		for _, s := range places {
			v := values[[2]string{s, name}]
			if len(v) == 0 {
				row += " - |"
				continue
			}
			iv := stats.Student(v)
			if math.IsNaN(iv.Lo) {
				row += fmt.Sprintf(" %.2f |", iv.Point)
				continue
			}
			clear = clear || iv.Lo > 0 || iv.Hi < 0
			row += fmt.Sprintf(" %.2f [%.2f, %.2f] |", iv.Point, iv.Lo, iv.Hi)
		}
		if clear {
			b.WriteString(row + "\n")
		}
	}
	return b.String()
}
