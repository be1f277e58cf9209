package app

import (
	"path/filepath"
	"strings"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
	"tarry/run/compare"
	"tarry/run/parts"
)

// drawComparison draws completion times, means and ratios to the first policy, and names the files.
func drawComparison(from *parts.Catalogues, dir string, sums []*compare.Row,
	labels map[string]string) (string, error) {
	var all []digest.Contender
	for _, m := range sums {
		c := digest.Contender{Name: m.Policy}
		for i, r := range m.Runs {
			c.JCT, c.Rows = append(c.JCT, r.Over(m.Common[i])), append(c.Rows, r.Row.Summary)
			c.Measures = append(c.Measures, r.Measures)
		}
		all = append(all, c)
	}
	figures, err := digest.Compared(all, sums[0].Same, from)
	if err != nil {
		return "", err
	}
	for _, f := range figures {
		f.Label(labels)
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
