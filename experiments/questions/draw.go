package questions

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tarry/experiments/digest"
	"tarry/experiments/forms"
	"tarry/experiments/sweep"
	"tarry/output/results"
)

// chosenBy is the metric by which validation chooses among forms.
const chosenBy = "jct_mean_s"

// jobColumns are the columns of jobs that a distribution can be of, in seconds.
func jobColumns() map[string]func(j *results.Job) float64 {
	return map[string]func(j *results.Job) float64{
		"jct_s":   func(j *results.Job) float64 { return j.JCT },
		"queue_s": func(j *results.Job) float64 { return j.Queue },
	}
}

// curveColumns are the columns of training that a curve can be of.
func curveColumns() map[string]func(r *results.Curve) float64 {
	return map[string]func(r *results.Curve) float64{
		"return_mean":        func(r *results.Curve) float64 { return r.ReturnMean },
		"validation":         func(r *results.Curve) float64 { return r.Validation },
		"explained_variance": func(r *results.Curve) float64 { return r.ExplVar },
	}
}

// book opens the rows that figures and tables are of.
func (d *drawing) book(ctx context.Context, data *sweep.Data) (*digest.Book, error) {
	switch {
	case d.learner != "":
		rows, err := sweep.Rows[results.Eval](ctx, data)
		if err != nil {
			return nil, err
		}
		return digest.NewLearned(data, rows, d.learner), nil
	case d.trained:
		return digest.NewBook(data, nil), nil
	}
	b, err := digest.OpenBook(ctx, data)
	if err == nil && d.measured() {
		b, err = b.Measured(ctx, data)
	}
	if err != nil || d.choose == "" {
		return b, err
	}
	series := "policy"
	if len(d.figures) > 0 {
		series = d.figures[0].series
	}
	return b.Chosen(d.choose, series, chosenBy, d.forms, forms.Validates)
}

// measured reports whether a row shows what is no column of trials but a measure.
func (d *drawing) measured() bool {
	return slices.ContainsFunc(slices.Concat(d.figures, d.tables), func(r row) bool {
		return slices.ContainsFunc(slices.Concat([]string{r.metric, r.over}, r.more, r.amounts), func(name string) bool {
			_, err := digest.Find(name)
			return name != "" && err != nil
		})
	})
}

// draw draws the figures.
func (d *drawing) draw(ctx context.Context, data *sweep.Data) ([]sweep.Figure, error) {
	b, err := d.book(ctx, data)
	if err != nil {
		return nil, err
	}
	for i := range d.figures {
		for _, r := range split(&d.figures[i], b) {
			if err := d.paint(ctx, data, b, &r); err != nil {
				return nil, err
			}
		}
	}
	return b.Figures()
}

// split gives a row for each value of the axis each, with what it shows resolved; none where a value
// that it names is not there.
func split(r *row, b *digest.Book) []row {
	rows := []row{*r}
	if r.each != "" {
		rows = nil
		for _, value := range b.Values(r.each) {
			if value != "" { // cells of a sweep without the axis
				rows = append(rows, r.at(r.each, value))
			}
		}
	}
	var out []row
	for _, one := range rows {
		all := true
		where := make([]condition, len(one.where))
		for i, c := range one.where {
			var there bool
			where[i], there = c.resolve(b.Values)
			if all = all && there; len(where[i].values) == 1 {
				one.fill(c.axis, where[i].values[0])
			}
		}
		if one.where = where; all {
			out = append(out, one)
		}
	}
	return out
}

// keep is what the cells of a row have in common; nil = it shows all.
func (r *row) keep() func(c *sweep.Cell) bool {
	if len(r.where)+len(r.but) == 0 {
		return nil
	}
	return func(c *sweep.Cell) bool {
		for _, one := range r.where {
			if !one.holds(c) {
				return false
			}
		}
		for _, one := range r.but {
			if one.holds(c) {
				return false
			}
		}
		return true
	}
}

// paint draws a row.
func (d *drawing) paint(ctx context.Context, data *sweep.Data, all *digest.Book, r *row) error {
	part := *all
	part.LogX = r.logX
	b, keep := &part, r.keep()
	shown := b // of the kinds that are made of rows of trials
	if keep != nil {
		shown = b.Where(keep)
	}
	switch r.kind {
	case "means":
		shown.Means(r.name, r.caption, r.x, r.series, r.metric, r.label)
	case "relative":
		shown.Relative(r.name, r.caption, r.x, r.series, r.metric, r.base, r.label)
	case "pareto":
		shown.Pareto(r.name, r.caption, r.x, r.series, r.over, r.metric, digest.Base{Series: r.base, At: r.baseAt})
	case "profile":
		shown.Profile(r.name, r.caption, r.x, r.series, r.metric, r.units)
	case "heat":
		shown.HeatAbove(r.name, r.caption, r.x, r.series, r.metric, r.label, r.yLabel, r.top)
	case "cdf":
		value := jobColumns()[r.column]
		if keep == nil {
			keep = func(*sweep.Cell) bool { return true }
		}
		b.CDF(ctx, r.name, r.caption, r.series, r.label, keep,
			func(j *results.Job) float64 { return max(value(j), r.least) / 3600 })
	case "timeline":
		if keep == nil {
			keep = func(*sweep.Cell) bool { return true }
		}
		b.Timeline(ctx, r.name, r.caption, keep)
	case "curves":
		rows, err := sweep.Rows[results.Curve](ctx, data)
		if err != nil {
			return err
		}
		b.Curves(r.name, r.caption, r.series, r.yLabel, rows, keep, curveColumns()[r.column])
	}
	return nil
}

// fill makes the tables.
func (d *drawing) fill(ctx context.Context, data *sweep.Data) (map[string]string, error) {
	b, err := d.book(ctx, data)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	var errs []error
	for i := range d.tables {
		for _, r := range split(&d.tables[i], b) {
			text, err := r.table(b)
			if err != nil {
				errs = append(errs, fmt.Errorf("table %s: %w", r.name, err))
				continue
			}
			out[r.name] = text
		}
	}
	return out, errors.Join(errs...)
}

// table makes a row's table.
func (r *row) table(b *digest.Book) (string, error) {
	if keep := r.keep(); keep != nil {
		b = b.Where(keep)
	}
	p := digest.Pages{Book: b, X: r.x, Series: r.series, Base: r.base, At: r.baseAt}
	switch r.kind {
	case "relative":
		return p.Relative(r.metric)
	case "means":
		return p.Means(r.metric, r.digits)
	case "share":
		return p.Share(r.metric)
	case "pareto":
		return p.Front(slices.Concat([]string{r.over, r.metric}, r.more), r.amounts, r.digits)
	}
	return p.Against(r.metric, r.duels...)
}
