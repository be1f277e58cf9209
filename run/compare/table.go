package compare

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"tarry/internal/stats"
	"tarry/output/knows"
	"tarry/run/bounds"
	"tarry/run/printed"
	"tarry/run/trial"
)

// Table writes the columns for people; compared adds the differences: rounded, times in
// one unit (UnitOf).
func Table(w io.Writer, sums []*Row, compared bool, shown printed.Shown) error {
	var g printed.Grid
	unit := UnitOf(sums)
	for _, m := range sums {
		g.Add("policy", "policy", knows.Marked(cmp.Or(m.Label, m.Policy), m.Knows))
		AddNumbers(&g, m.Values, unit)
		for _, u := range m.Types {
			g.Add("gpu_util_frac_"+u.Type, u.Type+" %", Rounded("gpu_util_frac", u.Frac, unit))
		}
		if m.Bounded {
			g.Add("bsld_mean", "bsld mean", fmt.Sprintf("%.2f", m.BSLD))
		}
		AddMeasured(&g, m.Measured, unit)
		if compared {
			g.Add("jct_mean_diff_s", DifferenceHead, m.Difference(unit))
			AddPaired(&g, m.Paired)
		}
	}
	if err := g.Print(w, shown); err != nil {
		return err
	}
	foot := "times in " + unit.Name
	if compared && len(sums) > 1 {
		foot += "; intervals over " + sums[1].Over
		if n := len(sums[0].Runs); n > 1 {
			foot = fmt.Sprintf("times in %s, means over %d replicates; intervals over replicates", unit.Name, n)
		}
	}
	if slices.ContainsFunc(sums, func(m *Row) bool { return m.Values[0] != m.Values[1] }) { // jobs, finished
		foot += "; means and quantiles of a row are over its finished jobs"
	}
	if slices.ContainsFunc(sums, func(m *Row) bool { return knows.Clairvoyant(m.Knows) }) {
		foot += "\n" + knows.Key
	}
	if text := bounds.Explain(means(sums)); text != "" {
		foot += "\n" + text
	}
	for _, m := range sums {
		if m.Label != "" {
			foot += "\n" + m.Label + ": " + m.Policy
		}
	}
	for _, m := range sums {
		if line := Overloaded(m.Policy, m.Runs); line != "" {
			foot += "\n" + line
		}
	}
	if _, err := fmt.Fprintln(w, foot); err != nil || !compared || sums[0].Same {
		return err
	}
	_, err := fmt.Fprintln(w, differentJobs(sums))
	return err
}

// DifferenceHead stands above differences in pairs.
const DifferenceHead = "JCT mean - first, 95 % interval"

// AddNumbers adds the numbers of Columns, one for each.
func AddNumbers(g *printed.Grid, values []float64, unit printed.Unit) {
	heads := []string{"jobs", "finished", "unfinished", "refused", "rejected", "JCT mean", "p50", "p95", "p99",
		"queue mean", "p99", "makespan", "comm mean", "comm %", "GPU %", "preemptions"}
	for i, c := range Columns() {
		g.Add(c.Name, heads[i], Rounded(c.Name, values[i], unit))
	}
}

// AddPaired adds differences in pairs.
func AddPaired(g *printed.Grid, of []Paired) {
	for i := range of {
		g.Add(of[i].Name+"_diff", of[i].Head, of[i].Text())
	}
}

// means are the mean completion times of each row's runs.
func means(sums []*Row) map[string][]float64 {
	out := map[string][]float64{}
	for _, m := range sums {
		for _, r := range m.Runs {
			out[m.Policy] = append(out[m.Policy], r.Row.JCTMean)
		}
	}
	return out
}

// differentJobs reports over which jobs policies are compared that did not finish the same.
func differentJobs(sums []*Row) string {
	n := 0
	for _, jobs := range sums[0].Common {
		n += trial.Count(jobs)
	}
	if n == 0 {
		return "the policies finished different jobs and none that all of them finished: nothing can be compared"
	}
	of := int64(0)
	for _, r := range sums[0].Runs {
		of += r.Row.Jobs
	}
	return fmt.Sprintf("the policies finished different jobs: differences are over the %d of %d jobs that all of "+
		"them finished", n, of)
}

// UnitOf is the unit of a table of these rows.
func UnitOf(sums []*Row) printed.Unit {
	var all []float64
	for _, of := range means(sums) {
		all = append(all, stats.Mean(of))
	}
	return printed.UnitFor(all)
}

// Rounded shortens a number by what it is; times are in the unit.
func Rounded(name string, v float64, unit printed.Unit) string {
	switch {
	case math.IsNaN(v):
		return "-"
	case math.IsInf(v, 1):
		return "inf"
	case strings.HasPrefix(name, "latency_"): // far below the unit of jobs
		return fmt.Sprintf("%.3g", v)
	case name == "slo_attained_frac": // a percentage near 100
		return fmt.Sprintf("%.2f", 100*v)
	case printed.IsTime(name):
		return unit.Time(v, name == "comm_mean_s")
	case strings.HasSuffix(name, "_frac"):
		return fmt.Sprintf("%.1f", 100*v)
	case strings.HasPrefix(name, "ftf_") || strings.HasSuffix(name, "_jain") || strings.HasSuffix(name, "_per_day"):
		return fmt.Sprintf("%.2f", v)
	case strings.HasSuffix(name, "_kwh") || strings.HasSuffix(name, "_kg") || strings.HasSuffix(name, "_cost"):
		return amount(v)
	}
	return fmt.Sprintf("%.0f", v)
}

// amount keeps three digits of a small number.
func amount(v float64) string {
	switch a := math.Abs(v); {
	case a < 0.005: // no -0.00
		return "0.00"
	case a < 9.995:
		return fmt.Sprintf("%.2f", v)
	case a < 99.95:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// Difference is "-120 [-200, -40]" in the unit, "-" for the first policy.
func (m *Row) Difference(unit printed.Unit) string {
	if math.IsNaN(m.Diff.Point) {
		return "-"
	}
	if math.IsNaN(m.Diff.Lo) {
		return unit.Signed(m.Diff.Point)
	}
	return fmt.Sprintf("%s [%s, %s]", unit.Signed(m.Diff.Point), unit.Signed(m.Diff.Lo), unit.Signed(m.Diff.Hi))
}
