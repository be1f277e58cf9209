package digest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/experiments/sweep"
	"tarry/output/figure"
	"tarry/output/results"
	"tarry/run/evaluate"
)

// Book draws the figures of a question one after the other; errors are reported at the end.
type Book struct {
	// LogX asks for logarithmic x axes where x is numeric and above 0.
	LogX bool
	// Training is as in Layout.
	Training bool
	// ShownX gives the name that a value of x has below its bars; nil = itself.
	ShownX func(x string) string

	d      Cells
	rows   []results.Trial
	agents map[results.Keys]bool // experiment, cell and policy of what was trained or tuned
	named  string                // the axis that names them
	own    []ownMetric           // see Adding
	chosen []string              // see Chosen
	said   []string              // which forms validation chose, for captions
	// chosenAt has the value of X and the series of what validation chose there: see ChosenAt.
	chosenAt map[[2]string]bool
	out      *pages
}

// pages is shared by a book and its parts.
type pages struct {
	figures []sweep.Figure
	errs    []error
	rows    []results.Trial     // of the book, whatever a part of it has
	names   map[string][]string // series axis -> names of all series
}

// NewBook starts a book over rows of the table trials.
func NewBook(d Cells, rows []results.Trial) *Book {
	return &Book{d: d, rows: rows, out: &pages{rows: rows, names: map[string][]string{}}}
}

// OpenBook starts a book over all rows of the table trials of some sweeps. It names public types
// alone, so that a question of another module can draw figures.
func OpenBook(ctx context.Context, d *sweep.Data) (*Book, error) {
	rows, err := sweep.Rows[results.Trial](ctx, d)
	if err != nil {
		return nil, err
	}
	return NewBook(d, rows), nil
}

// NewLearned starts a book over rows of the table evals: cells are training seeds; agents, and
// schedulers that a cell tuned, are called after their value on the axis (where there is none after
// the agent, or the optimiser with the scheduler); and baselines, which cells measure on the same
// windows, after themselves.
func NewLearned(d Cells, rows []results.Eval, axis string) *Book {
	b := &Book{d: d, Training: true, agents: map[results.Keys]bool{}, named: axis,
		out: &pages{names: map[string][]string{}}}
	label, costs := "", map[results.Keys]float64{}
	for _, r := range rows {
		if r.CostName != "" {
			r.Knows = outside
			costs[r.Keys] = r.Cost
			label = r.CostName
		}
		b.rows = append(b.rows, results.Trial{Keys: r.Keys, Summary: r.Summary})
		if r.Agent != "" || untrained(r.Policy) {
			b.agents[whose(r.Keys)] = true
		}
	}
	b.out.rows = b.rows
	if len(costs) > 0 {
		return b.Adding("cost", label, func(k results.Keys) float64 {
			if c, ok := costs[k]; ok {
				return c
			}
			return math.NaN()
		})
	}
	return b
}

// outside stands for what a row outside the simulator reads, whose names may be schedulers' too: no
// mark.
const outside = "outside the simulator"

// untrained reports whether a policy is an agent as it was before training, which differs by seed
// as what was trained does.
func untrained(policy string) bool { return strings.HasPrefix(policy, evaluate.Untrained) }

// whose is the part of a row's keys that names its owner. A tuned scheduler may be called as a
// baseline of another cell is.
func whose(k results.Keys) results.Keys {
	return results.Keys{Experiment: k.Experiment, Cell: k.Cell, Policy: k.Policy}
}

// Where is a part of the book over some of the cells; its figures go into the book.
func (b *Book) Where(keep func(c *sweep.Cell) bool) *Book {
	part := *b
	part.rows = nil
	for _, r := range b.rows {
		if c, ok := b.d.Cell(r.Keys); ok && keep(&c) {
			part.rows = append(part.rows, r)
		}
	}
	return &part
}

// Values lists the values of an axis in the order of the cells; of "" one empty value.
func (b *Book) Values(axisName string) []string {
	var out []string
	for _, r := range b.rows {
		if c, ok := b.d.Cell(r.Keys); ok {
			index(&out, axis(&c, r.Keys, axisName))
		}
	}
	return out
}

// table lays a metric out.
func (b *Book) table(x, series, metric string) (*Table, error) {
	m, err := b.find(metric)
	if err != nil {
		return nil, err
	}
	return Collect(b.d, b.rows, b.layout(x, series, m))
}

func (b *Book) layout(x, series string, m Metric) Layout {
	l := Layout{X: x, Series: series, Metric: m, Training: b.Training, shown: b.ShownX, value: b.valueOf(m.Name),
		chosen: b.chosen, chosenAt: b.chosenAt}
	if b.agents != nil {
		l.learned = func(k results.Keys) bool { return b.agents[whose(k)] }
		l.name = func(c *sweep.Cell, k results.Keys) string {
			if b.agents[whose(k)] {
				if untrained(k.Policy) {
					return "untrained " + fittedName(c, b.named)
				}
				return fittedName(c, b.named)
			}
			return k.Policy
		}
	}
	return l
}

// Means draws means over units: lines over a numeric x, else bars.
func (b *Book) Means(name, caption, x, series, metric, xLabel string) {
	b.paint(name, caption, x, series, metric, func(m Metric, log bool) sketch { return means(m, xLabel, log) })
}

// Relative draws ratios to a base series.
func (b *Book) Relative(name, caption, x, series, metric, base, xLabel string) {
	b.paint(name, caption, x, series, metric, func(_ Metric, log bool) sketch { return relative(xLabel, base, log) })
}

// HeatAbove draws how far means over two axes are above the least of them, in per cent; colours end
// at top.
func (b *Book) HeatAbove(name, caption, x, y, metric, xLabel, yLabel string, top float64) {
	b.paint(name, caption, x, y, metric, func(Metric, bool) sketch {
		s := means(Metric{}, "", false)
		s.draw = func(t *Table, _, _ figure.Axis, _ []figure.Series) (*figure.Figure, error) {
			return t.HeatAbove("", xLabel, yLabel, top)
		}
		s.note = func(t []*Table) string {
			n := sized(t)
			return fmt.Sprintf("Means over %s, no interval.%s", sampleSize(n.units, n.word), n.left())
		}
		return s
	})
}

// Profile draws performance profiles: the share of units (of all values of x) on which a series is
// within a factor of the best of its unit. Smaller numbers are better.
func (b *Book) Profile(name, caption, x, series, metric, units string) {
	b.paint(name, caption, x, series, metric, func(Metric, bool) sketch {
		return sketch{
			values: func(t *Table) ([]figure.Series, error) { return t.Profile() },
			axes: func(s []figure.Series) (x, y figure.Axis) {
				last := 1.0
				for _, one := range s {
					last = max(last, one.X[len(one.X)-1])
				}
				return figure.Axis{Label: "factor to the best of the " + units, Log: last > 3, Min: 1, Max: last},
					figure.Axis{Label: "share of " + units, Max: 1.02}
			},
			note: profileNote,
			draw: func(_ *Table, x, y figure.Axis, s []figure.Series) (*figure.Figure, error) {
				return figure.Lines("", x, y, s)
			},
		}
	})
}

// Figures gives what was drawn; the error joins what could not be.
func (b *Book) Figures() ([]sweep.Figure, error) {
	return b.out.figures, errors.Join(b.out.errs...)
}

func (b *Book) add(name, caption string, f *figure.Figure, err error) {
	if err != nil {
		b.out.errs = append(b.out.errs, fmt.Errorf("figure %s: %w", name, err))
		return
	}
	if f.Note != "" {
		caption = strings.TrimSuffix(caption, ".") + ". " + f.Note
	}
	if len(b.said) > 0 {
		caption = strings.TrimSuffix(caption, ".") + ". Validation chose, on other seeds, " +
			strings.Join(b.said, "; ") + "."
	}
	b.out.figures = append(b.out.figures, sweep.Figure{Name: name, Caption: caption, Figure: f})
}

// log reports whether x is drawn on a logarithmic axis.
func (b *Book) log(t *Table) bool {
	x, numeric := t.Numbers()
	return b.LogX && numeric && slices.Min(x) > 0
}

// Only is a part of the book with the series whose names keep takes, as figures call them.
func (b *Book) Only(keep func(series string) bool) *Book {
	part := *b
	part.rows = nil
	l := b.layout("", b.named, Metric{})
	for _, r := range b.rows {
		if c, ok := b.d.Cell(r.Keys); ok && keep(l.series(&c, r.Keys)) {
			part.rows = append(part.rows, r)
		}
	}
	return &part
}
