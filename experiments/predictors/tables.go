package predictors

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/experiments/sweep"
	"tarry/internal/stats"
	"tarry/output/knows"
)

// tables are the tables of docs/results/predictors.md and of its files.
func tables(ctx context.Context, d *sweep.Data) (map[string]string, error) {
	s, err := read(ctx, d)
	if err != nil {
		return nil, err
	}
	main := s.among(append([]string{"global", "last2", "ridge", "mix", "mix-alike", exact}, guessed(sigmas()[:3])...)...)
	return map[string]string{
		"accuracy":       s.accuracyTable(),
		"accuracy_r2":    s.r2Table(),
		"accuracy_all":   s.accuracyAll(),
		"worth":          s.worthTable(main, ownBase),
		"worth_own":      s.worthTable(s.predictors, ownBase),
		"worth_dally":    s.worthTable(s.predictors, func(*kind) string { return "dally" }),
		"worth_las":      s.worthTable(s.predictors, func(*kind) string { return "las" }),
		"worth_settings": s.worthSettings(),
		"pays":           s.crossingTable(),
		"fitted":         s.fittedTable(),
		"agree":          s.agreeTable(),
		"agree_settings": s.agreeAll(),
	}, nil
}

func ownBase(k *kind) string { return k.base }

func guessed(sigmas []string) []string {
	var out []string
	for _, s := range sigmas {
		out = append(out, guesses+s)
	}
	return out
}

// among keeps the predictors that ran, in the order of the sweep.
func (s *sheet) among(names ...string) []string {
	return slices.DeleteFunc(slices.Clone(s.predictors), func(p string) bool { return !slices.Contains(names, p) })
}

// grid is a table as text.
type grid struct{ strings.Builder }

// head writes the first line: columns of text, then of numbers.
func (g *grid) head(text []string, numbers ...string) {
	g.row(append(slices.Clone(text), numbers...)...)
	g.WriteString("|" + strings.Repeat("---|", len(text)) + strings.Repeat("---:|", len(numbers)) + "\n")
}

func (g *grid) row(cells ...string) { g.WriteString("| " + strings.Join(cells, " | ") + " |\n") }

// cell writes an interval; an infinite bound of R2 is written in words by the caller.
func cell(iv stats.Interval, digits int) string {
	switch {
	case math.IsNaN(iv.Point):
		return ""
	case math.IsNaN(iv.Lo):
		return fmt.Sprintf("%.*f", digits, iv.Point)
	}
	return fmt.Sprintf("%.*f [%.*f, %.*f]", digits, iv.Point, digits, iv.Lo, digits, iv.Hi)
}

// marked stars the truth.
func marked(predictors []string) []string {
	out := slices.Clone(predictors)
	for i, p := range out {
		if p == exact {
			out[i] += knows.Mark
		}
	}
	return out
}

func (g *grid) text(sentence string) string {
	return g.String() + "\n" + sentence + "\n"
}

// over reports what means are over.
func (s *sheet) over() string {
	return fmt.Sprintf(
		"Per cent, below 0 is better: geometric means over %s with 95 %% intervals over settings. \\%s.",
		counted(len(s.settings)), knows.Key)
}

// worthTable has a row per order and a column per predictor.
func (s *sheet) worthTable(predictors []string, base func(*kind) string) string {
	var g grid
	g.head([]string{"order", "against"}, marked(predictors)...)
	add := func(order, against string) {
		row := []string{"`" + shortened(order) + "`", "`" + against + "`"}
		for _, p := range predictors {
			row = append(row, cell(s.overall(p, order, against), 1))
		}
		g.row(row...)
	}
	for _, k := range kinds() {
		for _, order := range k.orders {
			add(order, base(&k))
		}
	}
	if against := base(&kinds()[0]); against == base(&kinds()[1]) { // one base for all: the bars belong there
		for _, order := range bars() {
			add(order, against)
		}
		for _, k := range kinds() {
			if k.base != against {
				add(k.base, against)
			}
		}
	}
	said := s.over()
	if slices.Contains(predictors, asked) {
		said += " `request` is a mean over the logs whose users state run times: compare it with its row on " +
			"those alone."
	}
	return g.text(said)
}

// worthSettings has a row per setting and order, each with its own base, and intervals over
// windows.
func (s *sheet) worthSettings() string {
	var g grid
	g.head([]string{"setting", "order", "against"}, marked(s.predictors)...)
	for _, one := range s.settings {
		for _, k := range kinds() {
			for _, order := range k.orders {
				row := []string{one, "`" + shortened(order) + "`", "`" + k.base + "`"}
				for _, p := range s.predictors {
					row = append(row, cell(s.percent(one, p, order, k.base), 1))
				}
				g.row(row...)
			}
		}
	}
	return g.text("Per cent, below 0 is better: ratios of means over windows with Student's 95 % intervals of their " +
		"logarithms over windows, in pairs. \\" + knows.Key + ".")
}

// crossingTable has the R2 from which each order gains.
func (s *sheet) crossingTable() string {
	var g grid
	g.head([]string{"order", "of its kind"}, "against that", "against `las`", "against `dally`", "worst guesses, %",
		"truth"+knows.Mark+", %")
	for _, k := range kinds() {
		for _, order := range k.orders {
			row := []string{"`" + shortened(order) + "`", "`" + k.base + "`"}
			for _, base := range []string{k.base, "las", "dally"} {
				c := s.along(order, base)
				row = append(row, fromText(c.from(), stats.Mean(c.r2[0])))
			}
			g.row(append(row, cell(s.overall(guesses+sigmas()[0], order, k.base), 1),
				cell(s.overall(exact, order, k.base), 1))...)
		}
	}
	return g.text("R2 of log run time from which on the geometric mean over settings is below the base, by straight " +
		"lines between errors of users' guesses (sigma = 2, 1, 0.5, 0.25, none), with 95 % intervals " +
		"over settings; the last two columns are against the base of its kind. \\" + knows.Key + ".")
}

// fromText writes an R2 that may be beyond what was measured: least is the lowest measured.
func fromText(iv stats.Interval, least float64) string {
	one := func(v float64) string {
		switch {
		case math.IsNaN(v):
			return ""
		case math.IsInf(v, 1):
			return "never"
		case math.IsInf(v, -1):
			return fmt.Sprintf("below %.2f", least)
		}
		return fmt.Sprintf("%.2f", v)
	}
	if math.IsNaN(iv.Lo) || one(iv.Lo) == one(iv.Hi) {
		return one(iv.Point)
	}
	return fmt.Sprintf("%s (%s to %s)", one(iv.Point), one(iv.Lo), one(iv.Hi))
}

// fittedTable has a column per class of R2 of the predictors that learn.
func (s *sheet) fittedTable() string {
	var g grid
	var names []string
	pairs := s.byClass(kinds()[0].orders[0], kinds()[0].base)
	for i, c := range pairs {
		names = append(names, fmt.Sprintf("%s (%d)", className(i), c.pairs))
	}
	g.head([]string{"order", "against"}, names...)
	for _, k := range kinds() {
		for _, order := range k.orders {
			row := []string{"`" + shortened(order) + "`", "`" + k.base + "`"}
			for _, c := range s.byClass(order, k.base) {
				row = append(row, cell(c.iv, 1))
			}
			g.row(row...)
		}
	}
	return g.text("Per cent, below 0 is better, by R2 on the setting's own windows (number of pairs of setting and " +
		"predictor): geometric means with 95 % intervals over settings.")
}
