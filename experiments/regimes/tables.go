package regimes

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"tarry/experiments/sweep"
	"tarry/internal/stats"
	"tarry/run/bounds"
)

// tables returns the tables of docs/results/timers.md: regimes has the agents and the best
// constants against Dally, against the agents against these constants, constants all of them.
func tables(ctx context.Context, d *sweep.Data) (map[string]string, error) {
	s, err := read(ctx, d)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for name, make := range map[string]func() (string, error){"regimes": s.byRegime, "against": s.byRival,
		"constants": s.byConstant} {
		if out[name], err = make(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// percent writes an interval with one digit.
func percent(iv stats.Interval) string {
	if math.IsNaN(iv.Lo) {
		return fmt.Sprintf("%+.1f", iv.Point)
	}
	return fmt.Sprintf("%+.1f [%+.1f, %+.1f]", iv.Point, iv.Lo, iv.Hi)
}

// agents are the learners that were measured.
func (s *scores) agents() []string {
	return slices.DeleteFunc([]string{search, ppo}, func(a string) bool { return s.of[a] == nil })
}

// byRegime has a row per regime and one for the mean over them.
func (s *scores) byRegime() (string, error) {
	single := s.best(-1)
	s.keepHindsight()
	s.keepPlacebos()
	t := table{head: "| regime | " + strings.Join(s.agents(), " | ") + " | constant " + short(single) +
		" | best constant there | best on its other half | best of random groups |"}
	for regime, name := range s.rows() {
		own, label := hindsight, ""
		if regime >= 0 {
			own = s.best(regime)
			label = short(own) + ": "
		}
		for _, a := range append(s.agents(), single) {
			t.add(name, "")(s.against(a, dally, regime))
		}
		t.add(name, label)(s.against(own, dally, regime))
		t.add(name, "")(s.against(otherHalf, dally, regime))
		t.add(name, "")(s.against(randomGroups, dally, regime))
	}
	return t.text()
}

// byRival has a row per regime and one for the mean over them: each agent against the best single
// constant, and against the best there.
func (s *scores) byRival() (string, error) {
	single := s.best(-1)
	s.keepHindsight()
	t := table{head: "| regime |"}
	for _, a := range s.agents() {
		t.head += fmt.Sprintf(" %s against constant %s | %s against the best there |", a, short(single), a)
	}
	for regime, name := range s.rows() {
		own := hindsight
		if regime >= 0 {
			own = s.best(regime)
		}
		for _, a := range s.agents() {
			t.add(name, "")(s.against(a, single, regime))
			t.add(name, "")(s.against(a, own, regime))
		}
	}
	return t.text()
}

// rows are the regimes with their names, and -1, the mean over them.
func (s *scores) rows() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for k, name := range s.regimes {
			if !yield(k, name) {
				return
			}
		}
		yield(-1, "**mean**")
	}
}

// hindsight is the name under which the best constant of each regime is kept.
const hindsight = "best constant of each regime"

// keepHindsight notes the scores of the best constant of each regime, as one policy.
func (s *scores) keepHindsight() {
	n := len(s.regimes)
	row := make([]float64, s.windows)
	for k := range n {
		own := s.of[s.best(k)][0]
		for i := k; i < s.windows; i += n {
			row[i] = own[i]
		}
	}
	s.of[hindsight] = stats.Grid{row}
}

// table is Markdown of intervals, a row per name.
type table struct {
	head string
	rows []string
	name string // of the last row
	err  error
}

// add puts an interval behind the last of the row.
func (t *table) add(name, label string) func(stats.Interval, error) {
	return func(iv stats.Interval, err error) {
		if t.name != name {
			t.name = name
			t.rows = append(t.rows, "| "+name+" |")
		}
		t.rows[len(t.rows)-1] += " " + label + percent(iv) + " |"
		t.err = cmp.Or(t.err, err)
	}
}

func (t *table) text() (string, error) {
	line := strings.Repeat("---|", strings.Count(t.head, "|")-1)
	return t.head + "\n|" + line + "\n" + strings.Join(t.rows, "\n") + "\n", t.err
}

// byConstant has a row per constant: its mean with an interval, then each regime.
func (s *scores) byConstant() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "| T_rack, T_net (leases) | mean | %s |\n|---|---|%s\n", strings.Join(s.regimes, " | "),
		strings.Repeat("---|", len(s.regimes)))
	for _, c := range bounds.Timers() {
		mean, err := s.against(c, dally, -1)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "| %s | %s |", short(c), percent(mean))
		for k := range s.regimes {
			iv, err := s.against(c, dally, k)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, " %+.1f |", iv.Point)
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}
