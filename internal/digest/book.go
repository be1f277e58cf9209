package digest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tarry/internal/figure"
	"tarry/internal/results"
	"tarry/internal/sweep"
)

// Book draws the figures of a question one after the other; what goes wrong is told at the end.
type Book struct {
	// LogX asks for logarithmic x axes where x is numeric and above 0.
	LogX bool
	// Training is as in Layout.
	Training bool
	// ShownX gives the name that a value of x has below its bars; nil = itself.
	ShownX func(x string) string

	d      *sweep.Data
	rows   []results.Trial
	agents map[results.Keys]bool // experiment, cell and policy of what was trained or tuned
	named  string                // the axis that names them
	out    *pages
}

// pages is shared by a book and its parts.
type pages struct {
	figures []sweep.Figure
	errs    []error
}

// NewBook starts a book over rows of the table trials.
func NewBook(d *sweep.Data, rows []results.Trial) *Book {
	return &Book{d: d, rows: rows, out: &pages{}}
}

// NewLearned starts a book over rows of the table evals: cells are training seeds; agents, and schedulers that a cell tuned, are
// called after their value on the axis (where there is none after the agent, or the optimiser with the scheduler); and
// baselines, which cells measure on the same windows, after themselves.
func NewLearned(d *sweep.Data, rows []results.Eval, axis string) *Book {
	b := &Book{d: d, Training: true, agents: map[results.Keys]bool{}, named: axis, out: &pages{}}
	for _, r := range rows {
		b.rows = append(b.rows, results.Trial{Keys: r.Keys, Summary: r.Summary})
		if r.Agent != "" {
			b.agents[whose(r.Keys)] = true
		}
	}
	return b
}

// whose is what of a row's keys says whose it is. A tuned scheduler may be called as a baseline of another cell is.
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
	m, err := Find(metric)
	if err != nil {
		return nil, err
	}
	l := Layout{X: x, Series: series, Metric: m, Training: b.Training, shown: b.ShownX}
	if b.agents != nil {
		l.name = func(c *sweep.Cell, k results.Keys) string {
			if b.agents[whose(k)] {
				return fittedName(c, b.named)
			}
			return k.Policy
		}
	}
	return Collect(b.d, b.rows, l)
}

// Means draws means over units: lines over a numeric x, else bars.
func (b *Book) Means(name, caption, x, series, metric, xLabel string) {
	b.draw(name, caption, x, series, metric, func(t *Table) (*figure.Figure, error) {
		return t.Draw(caption, xLabel, b.log(t))
	})
}

// Relative draws differences to a base series in per cent.
func (b *Book) Relative(name, caption, x, series, metric, base, xLabel string) {
	b.draw(name, caption, x, series, metric, func(t *Table) (*figure.Figure, error) {
		return t.DrawRelative(caption, xLabel, base, b.log(t))
	})
}

// HeatAbove draws how far means over two axes are above the least of them, in per cent; colours end at top.
func (b *Book) HeatAbove(name, caption, x, y, metric, xLabel, yLabel string, top float64) {
	b.draw(name, caption, x, y, metric, func(t *Table) (*figure.Figure, error) {
		return t.HeatAbove(caption, xLabel, yLabel, top)
	})
}

// Profile draws performance profiles: the share of units (of all values of x) on which a series is within a factor of the
// best of its unit. Smaller numbers are better.
func (b *Book) Profile(name, caption, x, series, metric, units string) {
	b.draw(name, caption, x, series, metric, func(t *Table) (*figure.Figure, error) {
		s, err := t.Profile()
		if err != nil {
			return nil, err
		}
		last := s[0].X[len(s[0].X)-1]
		return figure.Lines(caption, figure.Axis{Label: "factor to the best of the " + units, Log: last > 3}, figure.Axis{Label: "share of " + units, Max: 1}, s)
	})
}

// CDF draws the distribution of a value of the jobs on a logarithmic axis, one curve per value of an axis.
func (b *Book) CDF(ctx context.Context, name, caption, series, xLabel string, keep func(c *sweep.Cell) bool, value func(j *results.Job) float64) {
	samples, err := Samples(ctx, b.d, series, keep, value)
	if err == nil && len(samples) == 0 {
		err = errors.New("no job of a done cell has a value")
	}
	if err != nil {
		b.add(name, caption, nil, err)
		return
	}
	f, err := figure.CDF(caption, figure.Axis{Label: xLabel, Log: true}, samples)
	b.add(name, caption, f, err)
}

// Curves draws a value of the table curves over environment steps, mean and band over seeds.
func (b *Book) Curves(name, caption, series, yLabel string, rows []results.Curve, keep func(c *sweep.Cell) bool, value func(r *results.Curve) float64) {
	s := Curves(b.d, rows, series, keep, value)
	if len(s) == 0 {
		b.add(name, caption, nil, errors.New("no update of a done cell has a value"))
		return
	}
	f, err := figure.Lines(caption, figure.Axis{Label: "environment steps"}, figure.Axis{Label: yLabel}, s)
	b.add(name, caption, f, err)
}

// Figures gives what was drawn; the error joins what could not be.
func (b *Book) Figures() ([]sweep.Figure, error) {
	return b.out.figures, errors.Join(b.out.errs...)
}

func (b *Book) draw(name, caption, x, series, metric string, f func(*Table) (*figure.Figure, error)) {
	t, err := b.table(x, series, metric)
	if err != nil {
		b.add(name, caption, nil, err)
		return
	}
	fig, err := f(t)
	b.add(name, caption, fig, err)
}

func (b *Book) add(name, caption string, f *figure.Figure, err error) {
	if err != nil {
		b.out.errs = append(b.out.errs, fmt.Errorf("figure %s: %w", name, err))
		return
	}
	b.out.figures = append(b.out.figures, sweep.Figure{Name: name, Caption: caption, Figure: f})
}

// log reports whether x is drawn on a logarithmic axis.
func (b *Book) log(t *Table) bool {
	x, numeric := t.Numbers()
	return b.LogX && numeric && slices.Min(x) > 0
}
