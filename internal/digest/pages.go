package digest

import (
	"slices"

	"tarry/internal/figure"
)

// Pages makes the tables of a page from the rows of a book.
type Pages struct {
	*Book
	// X and Series are the axes of all tables; Base is what differences are taken to.
	X, Series, Base string
	// Fold names the series that are folded into the best of each unit, under the name FoldName; nil = none.
	Fold     func(series string) bool
	FoldName string
	// Keep chooses the series that are shown; nil = all.
	Keep func(series string) bool
}

// table lays a metric out and folds it.
func (p *Pages) table(metric string) (*Table, error) {
	t, err := p.Book.table(p.X, p.Series, metric)
	if err == nil && p.Fold != nil {
		t.Best(p.FoldName, p.Fold)
	}
	return t, err
}

// Relative is the table of differences to the base in per cent.
func (p *Pages) Relative(metric string) (string, error) {
	t, err := p.table(metric)
	if err != nil {
		return "", err
	}
	s, err := t.Relative(p.Base)
	if err != nil {
		return "", err
	}
	return t.Markdown(p.kept(s), 1), nil
}

// Share is the table of shares of units below the base, in per cent.
func (p *Pages) Share(metric string) (string, error) {
	t, err := p.table(metric)
	if err != nil {
		return "", err
	}
	s, err := t.Share(p.Base)
	if err != nil {
		return "", err
	}
	return t.Markdown(p.kept(s), 0), nil
}

// Means is the table of means in the metric's unit.
func (p *Pages) Means(metric string, digits int) (string, error) {
	t, err := p.table(metric)
	if err != nil {
		return "", err
	}
	return t.Markdown(p.kept(t.Means()), digits), nil
}

// kept leaves out what is not shown.
func (p *Pages) kept(s []figure.Series) []figure.Series {
	if p.Keep == nil {
		return s
	}
	return slices.DeleteFunc(s, func(one figure.Series) bool { return !p.Keep(one.Name) })
}
