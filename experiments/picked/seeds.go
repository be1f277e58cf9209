package picked

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/experiments/sweep"
	"tarry/internal/stats"
	"tarry/output/results"
)

// seedTable has a row per setting and learner: the mean bounded slowdown over the windows of each
// training seed, and Student's 95 % interval over seeds where there are several.
func seedTable(d *sweep.Data, evals []results.Eval) string {
	var order []string
	sums := map[string]map[uint64][]float64{}
	for _, e := range evals {
		if e.Agent == "" {
			continue
		}
		row := fmt.Sprintf("| %s | %s |", d.Axis(e.Keys, "setting"), d.Axis(e.Keys, "learner"))
		if sums[row] == nil {
			order, sums[row] = append(order, row), map[uint64][]float64{}
		}
		sums[row][e.TrainSeed] = append(sums[row][e.TrainSeed], e.BSLDMean)
	}
	var b strings.Builder
	b.WriteString("| setting | learner | each seed | mean over seeds |\n|---|---|---|---:|\n")
	for _, row := range order {
		var seeds []uint64
		for seed := range sums[row] {
			seeds = append(seeds, seed)
		}
		slices.Sort(seeds)
		texts, means := make([]string, 0, len(seeds)), make([]float64, 0, len(seeds))
		for _, seed := range seeds {
			m := stats.Mean(sums[row][seed])
			texts, means = append(texts, strconv.FormatFloat(m, 'f', 2, 64)), append(means, m)
		}
		iv := stats.Amounts(means)
		text := fmt.Sprintf("%.2f", iv.Point)
		if !math.IsNaN(iv.Lo) && len(means) > 1 {
			text += fmt.Sprintf(" [%.2f, %.2f]", iv.Lo, iv.Hi)
		}
		fmt.Fprintf(&b, "%s %s | %s |\n", row, strings.Join(texts, ", "), text)
	}
	return b.String()
}
