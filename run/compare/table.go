package compare

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"tarry/output/knows"
	"tarry/run/bounds"
	"tarry/run/trial"
)

// Table writes the columns for people; compared adds the differences: rounded, times in seconds.
func Table(w io.Writer, sums []*Row, compared bool) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	head := "policy\tjobs\tfinished\tunfinished\trefused\trejected\tJCT mean\tp50\tp95\tp99\tqueue " +
		"mean\tp99\tmakespan\tcomm mean\tcomm %\tGPU %\tpreemptions\t"
	for _, u := range sums[0].Types {
		head += u.Type + " %\t"
	}
	if sums[0].Bounded {
		head += "bsld mean\t"
	}
	for _, name := range Heads(sums[0].Measured) {
		head += name + "\t"
	}
	if compared {
		head += "JCT mean - first, 95 % interval\t"
	}
	fmt.Fprintln(t, head)
	for _, m := range sums {
		fmt.Fprintf(t, "%s\t", knows.Marked(m.Policy, m.Knows))
		for i, c := range Columns() {
			fmt.Fprintf(t, "%s\t", Rounded(c.Name, m.Values[i]))
		}
		for _, u := range m.Types {
			fmt.Fprintf(t, "%s\t", Rounded("gpu_util_frac", u.Frac))
		}
		if m.Bounded {
			fmt.Fprintf(t, "%.2f\t", m.BSLD)
		}
		for _, text := range Under(m.Measured) {
			fmt.Fprintf(t, "%s\t", text)
		}
		if compared {
			fmt.Fprintf(t, "%s\t", m.Difference())
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	foot := "times in seconds"
	if compared && len(sums) > 1 {
		foot += "; intervals over " + sums[1].Over
		if n := len(sums[0].Runs); n > 1 {
			foot = fmt.Sprintf("times in seconds, means over %d replicates; intervals over replicates", n)
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

// Rounded shortens a number by what it is.
func Rounded(name string, v float64) string {
	switch {
	case math.IsNaN(v):
		return "-"
	case strings.HasSuffix(name, "_frac"):
		return fmt.Sprintf("%.1f", 100*v)
	case strings.HasPrefix(name, "ftf_") || strings.HasSuffix(name, "_jain") || strings.HasSuffix(name, "_per_day"):
		return fmt.Sprintf("%.2f", v)
	case name == "comm_mean_s" && v < 100:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// Difference is "-120 [-200, -40]", "-" for the first policy.
func (m *Row) Difference() string {
	if math.IsNaN(m.Diff.Point) {
		return "-"
	}
	if math.IsNaN(m.Diff.Lo) {
		return fmt.Sprintf("%+.0f", m.Diff.Point)
	}
	return fmt.Sprintf("%+.0f [%+.0f, %+.0f]", m.Diff.Point, m.Diff.Lo, m.Diff.Hi)
}
