package digest

import (
	"slices"

	"tarry/internal/stats"
	"tarry/output/figure"
)

// Ratios is the table of how many times the second of each two series needs what the first needs:
// ratios of means over numbers from of for both, such as the completion times of the
// same jobs in the same order, with Student's intervals of their logarithms over pairs of these.
// What is not finite in one is left out of both. One value has no interval. metric names the
// table's rows in messages; two series of which one is not there are left out.
func (p *Pages) Ratios(metric string, of func(x, series string) []float64, two ...[2]string) (string, error) {
	t, err := p.Book.table(p.X, p.Series, metric)
	if err != nil {
		return "", err
	}
	var out []figure.Series
	for _, pair := range two {
		if !slices.Contains(t.Series, pair[0]) || !slices.Contains(t.Series, pair[1]) {
			continue
		}
		s := figure.Series{Name: pair[0] + " against " + pair[1]}
		for _, x := range t.X {
			iv, err := ratio(of(x, pair[1]), of(x, pair[0]))
			if err != nil {
				return "", err
			}
			s.Y, s.Lo, s.Hi = append(s.Y, iv.Point), append(s.Lo, iv.Lo), append(s.Hi, iv.Hi)
		}
		out = append(out, s)
	}
	return p.markdown(t, out, 2), nil
}

// ratio is the ratio of the means of a to b, with an interval over pairs.
func ratio(a, b []float64) (stats.Interval, error) {
	if len(a) == 0 && len(b) == 0 {
		return nothing(), nil
	}
	c, err := stats.Paired(a, b)
	return c.Ratio, err
}
