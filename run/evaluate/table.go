package evaluate

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"tarry/internal/stats"
	"tarry/output/knows"
	"tarry/run/bounds"
	"tarry/run/compare"
	"tarry/run/printed"
)

// Print writes the result for people: the columns, and the notes below them.
func Print(w io.Writer, s *Setup, rows []Row, shown printed.Shown) error {
	if s.Scored() {
		return printScores(w, rows, shown)
	}
	if err := table(w, rows, shown); err != nil {
		return err
	}
	return mixedTable(w, s, rows)
}

// table writes the columns for people.
func table(w io.Writer, rows []Row, shown printed.Shown) error {
	var g printed.Grid
	unit := unitOf(rows)
	for _, r := range rows {
		g.Add("policy", "policy", knows.Marked(cmp.Or(r.Label, r.Policy), r.Knows()))
		compare.AddNumbers(&g, means(r), unit)
		compare.AddMeasured(&g, r.Measured, unit)
		g.Add("jct_iqm_s", "JCT IQM", compare.Rounded("jct_iqm_s", r.IQM.Point, unit))
		difference, better := "-", "-"
		if r.Diff.N > 0 {
			difference = (&compare.Row{Diff: r.Diff}).Difference(unit)
			better = fmt.Sprintf("%.0f %% [%.0f, %.0f]", 100*r.Improvement.Point, 100*r.Improvement.Lo,
				100*r.Improvement.Hi)
			if math.IsNaN(r.Improvement.Lo) { // one window has no interval
				better = fmt.Sprintf("%.0f %%", 100*r.Improvement.Point)
			}
		}
		g.Add("jct_mean_diff_s", compare.DifferenceHead, difference)
		compare.AddPaired(&g, r.Paired)
		g.Add("improvement", "first is better on", better)
	}
	if err := g.Print(w, shown); err != nil {
		return err
	}
	return notes(w, rows)
}

// unitOf is the unit of a table of these rows.
func unitOf(rows []Row) printed.Unit {
	all := make([]float64, len(rows))
	for i, r := range rows {
		all[i] = stats.Mean(r.JCT)
	}
	return printed.UnitFor(all)
}

// notes writes what stands below the table: units and intervals, marks, and which rows are to be
// read with care.
func notes(w io.Writer, rows []Row) error {
	over := "over windows"
	if slices.ContainsFunc(rows, func(r Row) bool { return r.Seeds > 1 }) {
		over = "over training seeds and windows where several are taken together, else over windows"
	}
	if _, err := fmt.Fprintf(w, "times in %s, means over %d windows that training did not see; intervals %s, in pairs\n",
		unitOf(rows).Name, rows[0].Windows(), over); err != nil {
		return err
	}
	if at := slices.IndexFunc(rows, func(r Row) bool { return r.Chosen }); at > 0 {
		if _, err := fmt.Fprintf(w, "%s: the best of %d trainings on validation; it costs all of them\n",
			rows[at].Policy, rows[at-1].Seeds); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(rows, func(r Row) bool { return knows.Clairvoyant(r.Knows()) }) {
		if _, err := fmt.Fprintln(w, knows.Key); err != nil {
			return err
		}
	}
	jct := map[string][]float64{}
	for _, r := range rows {
		jct[r.Policy] = r.JCT
	}
	if text := bounds.Explain(jct); text != "" {
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	for _, r := range rows {
		if r.Label != "" {
			if _, err := fmt.Fprintf(w, "%s: %s\n", r.Label, r.Policy); err != nil {
				return err
			}
		}
	}
	for _, r := range rows {
		for _, text := range []string{compare.Overloaded(r.Policy, r.Runs), compare.Unrecorded(r.Policy, r.Runs)} {
			if text == "" {
				continue
			}
			if _, err := fmt.Fprintln(w, text); err != nil {
				return err
			}
		}
	}
	if text := differentJobs(rows); text != "" {
		_, err := fmt.Fprintln(w, text)
		return err
	}
	return nil
}

// differentJobs reports over which jobs policies are compared that did not finish the same; "" when
// they did.
func differentJobs(rows []Row) string {
	same := true
	for _, r := range rows {
		finished := 0
		for _, run := range r.Runs {
			finished += int(run.Row.Finished)
		}
		same = same && finished == r.Compared*r.Seeds
	}
	switch r := rows[0]; {
	case same:
		return ""
	case r.Compared == 0:
		return "the policies finished different jobs and none that all of them finished: nothing can be compared"
	default:
		return fmt.Sprintf("the policies finished different jobs: IQM, differences and profile are over the %d of "+
			"%d jobs that all of them finished; other means of a row are over its finished jobs", r.Compared, r.Jobs)
	}
}
