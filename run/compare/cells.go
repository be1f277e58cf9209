package compare

import (
	"math"
	"strconv"
)

// Cell is one named value of a row: text or a number, which Exact, where it is given, has in all
// its digits.
type Cell struct {
	Name, Text string
	Number     float64
	Exact      string
}

// Digits is the number as text, "" for none.
func (k Cell) Digits() string {
	if k.Exact != "" {
		return k.Exact
	}
	return digits(k.Number)
}

// Cells lists a policy's row.
func (m *Row) Cells(compared bool) []Cell {
	row := append(LabelCell(m.Policy, m.Label, m.Labelled), Cell{Name: "knows", Text: m.Knows})
	for i, c := range Columns() {
		row = append(row, Cell{Name: c.Name, Number: m.Values[i]})
	}
	row = append(row, Cell{Name: "overload_gpus", Number: m.overload()})
	for _, u := range m.Types {
		row = append(row, Cell{Name: "gpu_util_frac_" + u.Type, Number: u.Frac})
	}
	if m.Bounded {
		row = append(row, Cell{Name: "bsld_mean", Number: m.BSLD})
	}
	row = append(row, m.Measured...)
	if compared {
		jobs, jct := m.compared()
		row = append(row, Cell{Name: "replicates", Number: float64(len(m.Runs))},
			Cell{Name: "jobs_compared", Number: jobs}, Cell{Name: "jct_mean_compared_s", Number: jct},
			Cell{Name: "jct_mean_diff_s", Number: m.Diff.Point},
			Cell{Name: "jct_mean_diff_lo_s", Number: m.Diff.Lo}, Cell{Name: "jct_mean_diff_hi_s", Number: m.Diff.Hi},
			Cell{Name: "diff_over", Text: m.Over})
		for i := range m.Paired {
			row = append(row, m.Paired[i].Cells()...)
		}
	}
	if m.StatedGPUs > 0 {
		row = append(row, Cell{Name: "trace_gpus", Number: float64(m.StatedGPUs)})
	}
	return row
}

// LabelCell begins a row with the policy, and with its label where some row has one.
func LabelCell(policy, label string, labelled bool) []Cell {
	row := []Cell{{Name: "policy", Text: policy}}
	if labelled {
		row = append(row, Cell{Name: "label", Text: label})
	}
	return row
}

// Names lists the cells that a row may have, without the columns of GPU types.
func Names() []string {
	names := []string{"policy", "label", "knows"}
	for _, c := range Columns() {
		names = append(names, c.Name)
	}
	names = append(names, "overload_gpus", "bsld_mean")
	for _, m := range Measures() {
		names = append(names, m.Name)
	}
	return append(names, "replicates", "jobs_compared", "jct_mean_compared_s", "jct_mean_diff_s", "jct_mean_diff_lo_s",
		"jct_mean_diff_hi_s", "diff_over", "slo_attained_frac_diff", "slo_attained_frac_diff_lo",
		"slo_attained_frac_diff_hi", "energy_kwh_diff", "energy_kwh_diff_lo", "energy_kwh_diff_hi",
		"energy_cost_diff", "energy_cost_diff_lo", "energy_cost_diff_hi", "carbon_kg_diff", "carbon_kg_diff_lo",
		"carbon_kg_diff_hi", "trace_gpus")
}

// digits is the shortest text that reads back as the same number, "" for none.
func digits(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// IsText reports whether a column holds text, not numbers.
func (k Cell) IsText() bool {
	return k.Text != "" || k.Name == "policy" || k.Name == "label" || k.Name == "knows" || k.Name == "agent" ||
		k.Name == "diff_over" || k.Name == "checkpoint_sha256"
}
