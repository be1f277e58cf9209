package evaluate

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"tarry/internal/stats"
	"tarry/run/compare"
	"tarry/run/printed"
)

// scoreCells lists a row of an environment outside the simulator, by the columns of the result.
func scoreCells(r *Row) []compare.Cell {
	row := append(compare.LabelCell(r.Policy, r.Label, r.Labelled), []compare.Cell{{Name: "agent", Text: r.Agent},
		{Name: "train_seed", Number: math.NaN(), Exact: seedText(r.TrainSeed)},
		{Name: "checkpoint_sha256", Text: r.SHA256}, {Name: "windows", Number: float64(r.Windows())},
		{Name: "seeds", Number: float64(r.Seeds)}, {Name: r.CostName, Number: stats.Mean(r.JCT)}}...)
	for _, c := range []struct {
		name string
		iv   stats.Interval
	}{{r.CostName + "_iqm", r.IQM}, {r.CostName + "_diff", r.Diff}, {"improvement", r.Improvement}} {
		row = append(row, intervalCells(c.name, "", c.iv)...)
	}
	return row
}

// intervalCells are an interval; one of the first row, which is not compared with itself, is NaN.
func intervalCells(name, unit string, iv stats.Interval) []compare.Cell {
	if iv.N == 0 {
		iv.Point, iv.Lo, iv.Hi = math.NaN(), math.NaN(), math.NaN()
	}
	return []compare.Cell{{Name: name + unit, Number: iv.Point}, {Name: name + "_lo" + unit, Number: iv.Lo},
		{Name: name + "_hi" + unit, Number: iv.Hi}}
}

// printScores writes the rows for people, and the notes below them.
func printScores(w io.Writer, rows []Row, shown printed.Shown) error {
	var g printed.Grid
	digits := func(x float64) string { return fmt.Sprintf("%.4g", x) }
	for _, r := range rows {
		g.Add("policy", "policy", cmp.Or(r.Label, r.Policy))
		g.Add(r.CostName, r.CostName, digits(stats.Mean(r.JCT)))
		g.Add(r.CostName+"_iqm", "IQM", digits(r.IQM.Point))
		difference, better := "-", "-"
		if r.Diff.N > 0 {
			difference = fmt.Sprintf("%+.4g [%+.4g, %+.4g]", r.Diff.Point, r.Diff.Lo, r.Diff.Hi)
			better = fmt.Sprintf("%.0f %%", 100*r.Improvement.Point)
		}
		g.Add(r.CostName+"_diff", "difference to the first", difference)
		g.Add("improvement", "first is better on", better)
	}
	if err := g.Print(w, shown); err != nil {
		return err
	}
	over := "over windows"
	for _, r := range rows {
		if r.Seeds > 1 {
			over = "over training seeds and windows where several are taken together, else over windows"
		}
	}
	lines := []string{fmt.Sprintf("means of %s over %d windows that training did not see, lower is better; intervals %s, "+
		"in pairs", rows[0].CostName, rows[0].Windows(), over)}
	for i, r := range rows {
		if r.Chosen {
			lines = append(lines, fmt.Sprintf("%s: the best of %d trainings on validation; it costs all of them", r.Policy,
				rows[i-1].Seeds))
		}
		if r.Label != "" {
			lines = append(lines, r.Label+": "+r.Policy)
		}
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}
