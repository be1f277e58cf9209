package regimes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tarry/experiments/sweep"
	"tarry/internal/stats"
	rows "tarry/output/results"
	"tarry/run/bounds"
	"tarry/sim/param"
)

// scores are JCT / JCT under Dally by policy: a row per training seed, a column per window.
type scores struct {
	regimes []string // in the order in which windows take turns
	windows int
	of      map[string]stats.Grid
}

// read takes the scores out of the table evals.
func read(ctx context.Context, d *sweep.Data) (*scores, error) {
	evals, err := sweep.Rows[rows.Eval](ctx, d)
	if err != nil {
		return nil, err
	}
	s := &scores{of: map[string]stats.Grid{}}
	jct := map[string]map[string][]float64{} // by name and cell
	for _, r := range evals {
		c, ok := d.Cell(r.Keys)
		if !ok {
			return nil, fmt.Errorf("a row of cell %q, which the sweep does not have", r.Cell)
		}
		if s.regimes == nil {
			s.regimes = regimesOf(&c)
		}
		name := r.Policy
		if r.Agent != "" {
			name = c.Axes["learner"]
		}
		if jct[name] == nil {
			jct[name] = map[string][]float64{}
		}
		w := int(r.Replicate)
		for len(jct[name][r.Cell]) <= w {
			jct[name][r.Cell] = append(jct[name][r.Cell], 0)
		}
		jct[name][r.Cell][w] = r.JCTMean
		s.windows = max(s.windows, w+1)
	}
	return s, s.fill(jct)
}

// fill divides by Dally.
func (s *scores) fill(jct map[string]map[string][]float64) error {
	var base []float64
	for cell, row := range jct[dally] {
		if base != nil && !slices.Equal(base, row) {
			return fmt.Errorf("cell %s has other numbers of %s than another cell: their windows differ", cell, dally)
		}
		base = row
	}
	if base == nil {
		return fmt.Errorf("%s is measured in no cell, and all is compared with it", dally)
	}
	jct[dally] = map[string][]float64{"": base}
	for name, cells := range jct {
		var ids []string
		for id, row := range cells {
			if ids = append(ids, id); len(row) != s.windows || len(base) != s.windows {
				return fmt.Errorf("%s has %d windows in cell %s, expected %d", name, len(row), id, s.windows)
			}
		}
		slices.Sort(ids)
		var g stats.Grid
		for _, id := range ids {
			g = append(g, cells[id])
		}
		s.of[name] = g.Over(base)
	}
	return nil
}

// regimesOf names the regimes of a cell by the files of its mixture; one regime has the name of the
// sweep's smallest scale.
func regimesOf(c *sweep.Cell) []string {
	text, _ := c.Settings["env"].(string)
	_, options, _ := strings.Cut(text, ":")
	var out []string
	for _, path := range param.Parse("", options).Texts("mixture", nil) {
		out = append(out, strings.TrimSuffix(path[strings.LastIndex(path, "/")+1:], ".yaml"))
	}
	if len(out) == 0 {
		return []string{"ethernet-64"}
	}
	return out
}

// part are the scores in one regime, or with regime < 0 the means of rounds, in which regimes weigh
// alike.
func (s *scores) part(name string, regime int) stats.Grid {
	if regime < 0 {
		return s.of[name].Rounds(len(s.regimes))
	}
	return s.of[name].Every(len(s.regimes), regime)
}

// against is a policy's mean score less another's, in per cent of the latter.
func (s *scores) against(name, rival string, regime int) (stats.Interval, error) {
	return stats.Percent(s.part(name, regime), s.part(rival, regime))
}

// best is the constant with the least mean score in a regime, or over the mixture.
func (s *scores) best(regime int) string {
	return slices.MinFunc(bounds.Timers(), func(a, b string) int {
		x, y := stats.Mean(s.part(a, regime).Pool()), stats.Mean(s.part(b, regime).Pool())
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
}

// short is a constant as tables call it: its T_rack and T_net in leases.
func short(constant string) string {
	s := param.Parse("", strings.TrimPrefix(constant, "dally-manual:"))
	return s.Text("t_rack", "") + ", " + s.Text("t_net", "")
}
