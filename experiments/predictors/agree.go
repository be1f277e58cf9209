package predictors

import (
	"fmt"
	"math"
	"slices"

	"tarry/internal/stats"
)

// learners are all predictors that learn from jobs that ended: predictors that stand alone, several put
// together, and with laws of errors that are alike.
func learners() []string {
	return append(fitted(), "mix", "stack", "ridge-alike", "mix-alike")
}

// agreement is how R2 and completion times order the predictors that learn on one setting.
type agreement struct {
	r2, jct string  // the predictor with the highest R2, and the one with the shortest completion times
	behind  float64 // logarithm of the ratio of the two's completion times, 0 where they are the same
	rank    float64 // Spearman's correlation of R2 with completion time; -1 where they agree
}

// agree compares the orders of the predictors on a setting under a policy; ok is false where fewer than two
// ran.
func (s *sheet) agree(setting, policy, base string) (a agreement, ok bool) {
	var names []string
	var r2, jct []float64
	for _, p := range learners() {
		v, log := s.r2(setting, p), s.ratio(setting, p, policy, base)
		if math.IsNaN(v) || math.IsNaN(log) {
			continue
		}
		names, r2, jct = append(names, p), append(r2, v), append(jct, log)
	}
	if len(names) < 2 {
		return a, false
	}
	most, least := slices.Index(r2, slices.Max(r2)), slices.Index(jct, slices.Min(jct))
	a = agreement{names[most], names[least], jct[most] - jct[least], correlation(ranks(r2), ranks(jct))}
	if a.behind == 0 { // without requests mix is ridge
		a.jct = a.r2
	}
	return a, true
}

// ranks are the places of numbers in their order, equal ones share the mean of theirs.
func ranks(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		for _, w := range x {
			switch {
			case w < v:
				out[i]++
			case w == v:
				out[i] += 0.5
			}
		}
	}
	return out
}

// correlation is Pearson's; NaN where one of the two does not vary.
func correlation(x, y []float64) float64 {
	mx, my := stats.Mean(x), stats.Mean(y)
	var xx, xy, yy float64
	for i := range x {
		a, b := x[i]-mx, y[i]-my
		xx, xy, yy = xx+float64(a*a), xy+float64(a*b), yy+float64(b*b)
	}
	return xy / math.Sqrt(float64(xx*yy))
}

// agreeTable has a row per order: does R2 choose the predictor with the shortest completion times?
func (s *sheet) agreeTable() string {
	var g grid
	g.head([]string{"order"}, "settings", "the same predictor", "the higher R2, the shorter", "by R2 against the best, %")
	for _, k := range kinds() {
		for _, order := range k.orders {
			same := 0
			var behind, rank []float64
			for _, one := range s.settings {
				a, ok := s.agree(one, order, k.base)
				if !ok {
					continue
				}
				if a.r2 == a.jct {
					same++
				}
				behind, rank = append(behind, a.behind), append(rank, -a.rank)
			}
			if len(behind) == 0 {
				continue
			}
			g.row("`"+shortened(order)+"`", fmt.Sprint(len(behind)), fmt.Sprint(same), cell(stats.Student(rank), 2),
				cell(percentOf(stats.Student(behind)), 1))
		}
	}
	return g.text("Predictors that learn: on how many settings the one with the highest R2 has the shortest mean " +
		"completion times as well; Spearman's correlation of R2 with short completion times, 1 = one order, 0 = none; and " +
		"how far the one with the highest R2 is behind the best, which is the best on the same windows, and so flattered " +
		"by luck. Means over settings with 95 % intervals over settings.")
}

// agreeAll has a row per setting and order.
func (s *sheet) agreeAll() string {
	var g grid
	g.head([]string{"setting", "order", "highest R2", "shortest"}, "R2", "R2 of the shortest", "by R2 against it, %",
		"the higher R2, the shorter")
	for _, one := range s.settings {
		for _, k := range kinds() {
			for _, order := range k.orders {
				a, ok := s.agree(one, order, k.base)
				if !ok {
					continue
				}
				g.row(one, "`"+shortened(order)+"`", "`"+a.r2+"`", "`"+a.jct+"`", fmt.Sprintf("%.2f", s.r2(one, a.r2)),
					fmt.Sprintf("%.2f", s.r2(one, a.jct)), fmt.Sprintf("%.1f", inPercent(a.behind)),
					fmt.Sprintf("%.2f", -a.rank))
			}
		}
	}
	return g.text("As above, each setting by itself.")
}
