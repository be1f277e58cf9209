package evaluate

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"tarry/internal/stats"
)

// mixedTable writes what policies do on each scenario of a mixture, against Dally, or else against
// the first policy that is no agent. Of an evaluation without a mixture or without such a policy it
// writes nothing.
func mixedTable(w io.Writer, s *Setup, rows []Row) error {
	if len(s.Regimes) == 0 {
		return nil
	}
	at := slices.IndexFunc(rows, func(r Row) bool { return r.Policy == "dally" })
	if at < 0 {
		at = slices.IndexFunc(rows, func(r Row) bool { return r.Agent == "" })
	}
	if at < 0 {
		return nil
	}
	all, err := s.PerRegime(rows, rows[at].Policy)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nmean completion time against %s in each regime, %%, 95 %% interval; mean: regimes weigh alike\n",
		rows[at].Policy)
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "policy\tmean\t")
	for _, name := range s.Regimes {
		fmt.Fprintf(t, "%s\t", name)
	}
	fmt.Fprintln(t)
	for _, m := range all {
		if m.Policy == rows[at].Policy {
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t", m.Policy, percent(m.Mean))
		for _, iv := range m.Regimes {
			fmt.Fprintf(t, "%s\t", percent(iv))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// percent writes an interval, "-" where there is no number.
func percent(iv stats.Interval) string {
	switch {
	case math.IsNaN(iv.Point):
		return "-"
	case math.IsNaN(iv.Lo):
		return fmt.Sprintf("%+.1f", iv.Point)
	}
	return fmt.Sprintf("%+.1f [%+.1f, %+.1f]", iv.Point, iv.Lo, iv.Hi)
}
