package evaluate

import (
	"fmt"
	"math"
	"strconv"

	"tarry/internal/stats"
	"tarry/output/results"
	"tarry/run/compare"
)

// Cells lists a policy's row, by the columns of the result.
func Cells(r Row) []compare.Cell {
	if r.CostName != "" {
		return scoreCells(&r)
	}
	row := append(compare.LabelCell(r.Policy, r.Label, r.Labelled), []compare.Cell{{Name: "knows", Text: r.Knows()},
		{Name: "agent", Text: r.Agent}, {Name: "train_seed", Number: math.NaN(), Exact: seedText(r.TrainSeed)},
		{Name: "checkpoint_sha256", Text: r.SHA256}, {Name: "windows", Number: float64(r.Windows())},
		{Name: "seeds", Number: float64(r.Seeds)},
		{Name: "jobs_compared", Number: float64(r.Compared)}}...)
	for i, v := range means(r) {
		row = append(row, compare.Cell{Name: compare.Columns()[i].Name, Number: v})
	}
	bsld := make([]float64, len(r.Runs))
	for i, run := range r.Runs {
		bsld[i] = run.Row.BSLDMean
	}
	row = append(row, compare.Cell{Name: "bsld_mean", Number: stats.Mean(bsld)})
	row = append(row, r.Measured...)
	add := func(name, unit string, iv stats.Interval) {
		row = append(row, intervalCells(name, unit, iv)...)
	}
	add("jct_iqm", "_s", r.IQM)
	add("jct_mean_diff", "_s", r.Diff)
	add("improvement", "", r.Improvement)
	for i := range r.Paired {
		row = append(row, r.Paired[i].Cells()...)
	}
	for i, tau := range Taus() {
		add(fmt.Sprintf("profile_%g", tau), "", r.Profile[i])
	}
	return row
}

// Names lists the cells that compare's rows have not.
func Names() []string {
	names := []string{"agent", "train_seed", "checkpoint_sha256", "windows", "seeds", "jct_iqm_s", "jct_iqm_lo_s",
		"jct_iqm_hi_s", "improvement", "improvement_lo", "improvement_hi"}
	for _, tau := range Taus() {
		name := fmt.Sprintf("profile_%g", tau)
		names = append(names, name, name+"_lo", name+"_hi")
	}
	return names
}

// seedText is a seed of training in digits, "" where there is none.
func seedText(seed uint64) string {
	if seed == results.NoSeed {
		return ""
	}
	return strconv.FormatUint(seed, 10)
}

// means gives the means over windows, in the order of columns.
func means(r Row) []float64 {
	var out []float64
	for _, col := range compare.Columns() {
		x := make([]float64, len(r.Runs))
		for i, run := range r.Runs {
			x[i] = col.Get(&run.Row.Summary)
		}
		out = append(out, stats.Mean(x))
	}
	return out
}
