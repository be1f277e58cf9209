package app

import (
	"path/filepath"
	"strings"

	"tarry/catalogue/parts"
	"tarry/experiments/digest"
	"tarry/experiments/sweep"
)

// drawComparison draws completion times, means and ratios to the first policy, and names the files.
func drawComparison(from *parts.Catalogues, dir string, sums []*summary) (string, error) {
	var all []digest.Contender
	for _, m := range sums {
		c := digest.Contender{Name: m.policy}
		for i, r := range m.runs {
			c.JCT, c.Rows = append(c.JCT, r.Over(m.common[i])), append(c.Rows, r.Row.Summary)
		}
		all = append(all, c)
	}
	figures, err := digest.Compared(all, sums[0].same, from)
	if err != nil {
		return "", err
	}
	return saveAll(dir, figures)
}

// saveAll writes figures and names their files.
func saveAll(dir string, figures []sweep.Figure) (string, error) {
	var names []string
	for _, f := range figures {
		if err := f.Save(dir, f.Name); err != nil {
			return "", err
		}
		names = append(names, filepath.Join(dir, f.Name))
	}
	return strings.Join(names, ", ") + " (.png, .svg, .pdf, .csv, .parquet)", nil
}
