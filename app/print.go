package app

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"tarry/internal/legible"
	"tarry/internal/run/bounds"
	"tarry/internal/run/trial"
	"tarry/output/knows"
)

// printSummary writes the result in the format that was asked for. compared adds the differences.
func printSummary(c *cli.Context, sums []*summary, compared bool) error {
	format, err := formatOf(c)
	if err != nil {
		return usageError{err}
	}
	var rows [][]cell
	for _, m := range sums {
		rows = append(rows, m.cells(compared))
	}
	switch format {
	case "json":
		return printJSON(c.App.Writer, rows)
	case "csv":
		return printCSV(legible.Under(c.App.Writer), rows)
	}
	return printTable(c.App.Writer, sums, compared)
}

// cell is one named value of a row: text or a number, which exact, where it is given, has in all its digits.
type cell struct {
	name, text string
	number     float64
	exact      string
}

// digits is the number as text, "" for none.
func (k cell) digits() string {
	if k.exact != "" {
		return k.exact
	}
	return digits(k.number)
}

// cells lists a policy's row.
func (m *summary) cells(compared bool) []cell {
	row := []cell{{name: "policy", text: m.policy}, {name: "knows", text: m.knows}}
	for i, c := range columns() {
		row = append(row, cell{name: c.name, number: m.values[i]})
	}
	if m.bounded {
		row = append(row, cell{name: "bsld_mean", number: m.bsld})
	}
	if compared {
		jobs, jct := m.compared()
		row = append(row, cell{name: "replicates", number: float64(len(m.runs))}, cell{name: "jobs_compared", number: jobs}, cell{name: "jct_mean_compared_s", number: jct},
			cell{name: "jct_mean_diff_s", number: m.diff.Point},
			cell{name: "jct_mean_diff_lo_s", number: m.diff.Lo}, cell{name: "jct_mean_diff_hi_s", number: m.diff.Hi}, cell{name: "diff_over", text: m.over})
	}
	if m.statedGPUs > 0 {
		row = append(row, cell{name: "trace_gpus", number: float64(m.statedGPUs)})
	}
	return row
}

// digits is the shortest text that reads back as the same number, "" for none.
func digits(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// isText reports whether a column holds text, not numbers.
func (k cell) isText() bool {
	return k.name == "policy" || k.name == "knows" || k.name == "agent" || k.name == "diff_over" || k.name == "checkpoint_sha256"
}

// printJSON writes one object per line; a number that is missing is null.
func printJSON(w io.Writer, rows [][]cell) error {
	for _, row := range rows {
		line := []byte("{")
		for i, k := range row {
			if i > 0 {
				line = append(line, ", "...)
			}
			line = append(strconv.AppendQuote(line, k.name), ": "...)
			switch v := k.digits(); {
			case k.isText():
				text, err := json.Marshal(k.text)
				if err != nil {
					return err
				}
				line = append(line, text...)
			case v == "":
				line = append(line, "null"...)
			default:
				line = append(line, v...)
			}
		}
		if _, err := fmt.Fprintf(w, "%s}\n", line); err != nil {
			return err
		}
	}
	return nil
}

// printCSV writes a header and one row after another; a number that is missing is empty.
func printCSV(w io.Writer, rows [][]cell) error {
	out := csv.NewWriter(w)
	for i, cells := range rows {
		var head, row []string
		for _, k := range cells {
			head = append(head, k.name)
			if k.isText() {
				row = append(row, k.text)
			} else {
				row = append(row, k.digits())
			}
		}
		if i == 0 {
			out.Write(head) // errors are kept until Flush
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}

// printTable writes the columns for people: rounded, times in seconds.
func printTable(w io.Writer, sums []*summary, compared bool) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	head := "policy\tjobs\tfinished\tunfinished\trefused\trejected\tJCT mean\tp50\tp95\tp99\tqueue mean\tp99\tmakespan\tcomm mean\tcomm %\tGPU %\tpreemptions\t"
	if sums[0].bounded {
		head += "bsld mean\t"
	}
	if compared {
		head += "JCT mean - first, 95 % interval\t"
	}
	fmt.Fprintln(t, head)
	for _, m := range sums {
		fmt.Fprintf(t, "%s\t", knows.Marked(m.policy, m.knows))
		for i, c := range columns() {
			fmt.Fprintf(t, "%s\t", rounded(c.name, m.values[i]))
		}
		if m.bounded {
			fmt.Fprintf(t, "%.2f\t", m.bsld)
		}
		if compared {
			fmt.Fprintf(t, "%s\t", m.difference())
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	foot := "times in seconds"
	if compared && len(sums) > 1 {
		foot += "; intervals over " + sums[1].over
		if n := len(sums[0].runs); n > 1 {
			foot = fmt.Sprintf("times in seconds, means over %d replicates; intervals over replicates", n)
		}
	}
	if slices.ContainsFunc(sums, func(m *summary) bool { return m.values[0] != m.values[1] }) { // jobs, finished
		foot += "; means and quantiles of a row are over its finished jobs"
	}
	if slices.ContainsFunc(sums, func(m *summary) bool { return knows.Clairvoyant(m.knows) }) {
		foot += "\n" + knows.Key
	}
	if slices.ContainsFunc(sums, func(m *summary) bool { return bounds.Is(m.policy) }) {
		foot += "\n" + bounds.Key
	}
	if _, err := fmt.Fprintln(w, foot); err != nil || !compared || sums[0].same {
		return err
	}
	_, err := fmt.Fprintln(w, differentJobs(sums))
	return err
}

// differentJobs says over which jobs policies are compared that did not finish the same.
func differentJobs(sums []*summary) string {
	n := 0
	for _, jobs := range sums[0].common {
		n += trial.Count(jobs)
	}
	if n == 0 {
		return "the policies finished different jobs and none that all of them finished: nothing can be compared"
	}
	of := int64(0)
	for _, r := range sums[0].runs {
		of += r.Row.Jobs
	}
	return fmt.Sprintf("the policies finished different jobs: differences are over the %d of %d jobs that all of them finished", n, of)
}

// rounded shortens a number by what it is.
func rounded(name string, v float64) string {
	switch {
	case math.IsNaN(v):
		return "-"
	case name == "comm_frac" || name == "gpu_util_frac":
		return fmt.Sprintf("%.1f", 100*v)
	case name == "comm_mean_s" && v < 100:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// difference is "-120 [-200, -40]", "-" for the first policy.
func (m *summary) difference() string {
	if math.IsNaN(m.diff.Point) {
		return "-"
	}
	if math.IsNaN(m.diff.Lo) {
		return fmt.Sprintf("%+.0f", m.diff.Point)
	}
	return fmt.Sprintf("%+.0f [%+.0f, %+.0f]", m.diff.Point, m.diff.Lo, m.diff.Hi)
}
