package digest

import (
	"slices"

	"tarry/output/figure"
)

// Pages makes the tables of a page from the rows of a book.
type Pages struct {
	*Book
	// X and Series are the axes of all tables; Base is what differences are taken to.
	X, Series, Base string
	// At is the value of X at which Front takes its base; "" = at each.
	At string
	// Fold names the series that are folded into the best of each unit, under the name FoldName,
	// and into the same choice made on the other half of the units, under Placebo (Table.Best); nil
	// = none.
	Fold              func(series string) bool
	FoldName, Placebo string
	// Keep chooses the series that are shown; nil = all.
	Keep func(series string) bool
	// Transpose makes a row of each value of X and a column of each series: for more values than a
	// page is wide.
	Transpose bool
}

// table lays a metric out, folds it and leaves out what is not shown but for the base.
func (p *Pages) table(metric string) (*Table, error) {
	t, err := p.Book.table(p.X, p.Series, metric)
	if err != nil {
		return nil, err
	}
	if p.Fold != nil {
		t.Best(p.FoldName, p.Placebo, p.Fold)
	}
	if p.Keep != nil {
		t.only(func(series string) bool { return series == p.Base || p.Keep(series) })
	}
	return t, nil
}

// markdown writes what is shown, and over what it is averaged.
func (p *Pages) markdown(t *Table, s []figure.Series, digits int) string {
	text := ""
	if p.Transpose {
		text = t.transposed(p.kept(s), digits)
	} else {
		text = t.Markdown(p.kept(s), digits)
	}
	return text + t.averages() + t.overloads() + t.key(text)
}

// averages is a sentence below a table whose numbers are means over axes that it does not show; ""
// = there are none.
func (t *Table) averages() string {
	if len(t.Averaged) == 0 {
		return ""
	}
	return "\nAveraged over " + namesOf(t.Averaged) + ", within each unit.\n"
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
	return p.markdown(t, s, 1), nil
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
	return p.markdown(t, s, 0), nil
}

// Means is the table of means in the metric's unit.
func (p *Pages) Means(metric string, digits int) (string, error) {
	t, err := p.table(metric)
	if err != nil {
		return "", err
	}
	return p.markdown(t, t.Means(), digits), nil
}

// Against is the table of differences, in per cent, of the first of each two series to the second,
// with intervals over the seeds of both. Two of which one is not there are left out.
func (p *Pages) Against(metric string, two ...[2]string) (string, error) {
	var all *Table
	var out []figure.Series
	for _, pair := range two {
		t, err := p.Book.table(p.X, p.Series, metric)
		if err != nil {
			return "", err
		}
		all = t
		at := slices.Index(t.Series, pair[0])
		if at < 0 || !slices.Contains(t.Series, pair[1]) {
			continue
		}
		t.only(func(series string) bool { return series == pair[0] || series == pair[1] })
		s, err := t.Relative(pair[1])
		if err != nil {
			return "", err
		}
		s[at].Name = pair[0] + " against " + pair[1]
		out = append(out, s[at])
	}
	shown := *p
	shown.Keep = nil
	return shown.markdown(all, out, 1), nil
}

// kept leaves out what is not shown.
func (p *Pages) kept(s []figure.Series) []figure.Series {
	if p.Keep == nil {
		return s
	}
	return slices.DeleteFunc(s, func(one figure.Series) bool { return !p.Keep(one.Name) })
}
