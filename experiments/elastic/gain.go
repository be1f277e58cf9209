package elastic

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarry/experiments/sweep"
	"tarry/internal/stats"
	rows "tarry/output/results"
)

// waits has the mean completion times of the sweep over timers.
type waits struct {
	// of is by links and jobs, rules, timers in leases, and seed.
	of                  map[[3]string]map[uint64]float64
	columns, ruled, all []string
	seeds               []uint64
}

func readWaits(ctx context.Context, d *sweep.Data) (*waits, error) {
	w := &waits{of: map[[3]string]map[uint64]float64{}}
	err := sweep.Scan(ctx, d, func(part []rows.Trial) error {
		for i := range part {
			c, ok := d.Cell(part[i].Keys)
			if !ok || c.Axes["wait"] == "" {
				continue
			}
			key := [3]string{c.Axes["links"] + ", " + c.Axes["jobs"], c.Axes["rules"], c.Axes["wait"]}
			if w.of[key] == nil {
				w.of[key] = map[uint64]float64{}
			}
			w.of[key][c.Seed] = part[i].JCTMean
			w.columns, w.ruled, w.all = once(w.columns, key[0]), once(w.ruled, key[1]), once(w.all, key[2])
			if !slices.Contains(w.seeds, c.Seed) {
				w.seeds = append(w.seeds, c.Seed)
			}
		}
		return nil
	})
	slices.Sort(w.seeds)
	return w, err
}

func once(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// halves are the seeds on which timers are chosen, and those on which they are measured.
func (w *waits) halves() (choose, measure []uint64) {
	n := len(w.seeds) / 2
	return w.seeds[:n], w.seeds[n:]
}

// chosen are the timers with the least mean completion time on the seeds that choose.
func (w *waits) chosen(column, rule string) string {
	seeds, _ := w.halves()
	return slices.MinFunc(w.all, func(a, b string) int {
		x, y := stats.Mean(w.at(column, rule, a, seeds)), stats.Mean(w.at(column, rule, b, seeds))
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
}

// at are the mean completion times on some seeds.
func (w *waits) at(column, rule, wait string, seeds []uint64) []float64 {
	out := make([]float64, len(seeds))
	for i, s := range seeds {
		out[i] = w.of[[3]string{column, rule, wait}][s]
	}
	return out
}

// change is by how many per cent the mean completion time with some rules and timers differs from
// that with others, on the seeds that measure.
func (w *waits) change(column string, a, b [2]string) (stats.Interval, error) {
	_, seeds := w.halves()
	c, err := stats.Paired(w.at(column, a[0], a[1], seeds), w.at(column, b[0], b[1], seeds))
	return c.Ratio.Percent(), err
}

// gains is a row per set of rules: by how much the best timers change the mean completion time
// against no wait with the same rules, and which these are.
func (w *waits) gains() (string, error) {
	return w.table(func(column, rule string) (string, error) {
		best := w.chosen(column, rule)
		iv, err := w.change(column, [2]string{rule, best}, [2]string{rule, "0"})
		return percent(iv) + ", " + best, err
	})
}

// instead is a row per set of rules: how the mean completion time without any timer differs from
// Dally's without rules and with its best timers.
func (w *waits) instead() (string, error) {
	return w.table(func(column, rule string) (string, error) {
		iv, err := w.change(column, [2]string{rule, "0"}, [2]string{w.ruled[0], w.chosen(column, w.ruled[0])})
		return percent(iv), err
	})
}

func percent(iv stats.Interval) string {
	if iv.Point == 0 && iv.Lo == 0 && iv.Hi == 0 {
		return "0"
	}
	return fmt.Sprintf("%s [%s, %s]", short(iv.Point), short(iv.Lo), short(iv.Hi))
}

func short(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }

// table writes a row per set of rules and a column per kind of links and jobs.
func (w *waits) table(cell func(column, rule string) (string, error)) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "| rules | %s |\n|---|%s\n", strings.Join(w.columns, " | "),
		strings.Repeat("---:|", len(w.columns)))
	for _, r := range w.ruled {
		fmt.Fprintf(&b, "| %s |", r)
		for _, c := range w.columns {
			text, err := cell(c, r)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, " %s |", text)
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}
