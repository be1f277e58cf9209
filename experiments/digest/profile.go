package digest

import (
	"fmt"
	"math"
	"slices"

	"tarry/internal/stats"
	"tarry/output/figure"
)

const (
	// profileEnd is the largest ratio to the best that a performance profile shows.
	profileEnd = 10
	// profileSteps is the most ratios at which it is computed.
	profileSteps = 60
)

// Profile gives performance profiles (Dolan and Moré, 2002): per series the share of units on which
// its number is at most tau times the least that any series has there, as steps over tau from 1 to
// the largest ratio, but at most 10, with the 95 % interval of a proportion over units within each
// x, and where a unit was trained with several seeds over seeds and units. The least is of the
// means over seeds. Units that a series lacks are left out for all; no unit left is an error.
func (t *Table) Profile() ([]figure.Series, error) {
	ratios, seeds, err := t.ratios()
	if err != nil {
		return nil, err
	}
	taus := jumps(ratios)
	out := make([]figure.Series, len(t.Series))
	for s, name := range t.Series {
		one := figure.Series{Name: name, X: taus, Step: true}
		for _, iv := range shares(ratios[s], taus, seeds > 1) {
			one.Y, one.Lo, one.Hi = append(one.Y, iv.Point), append(one.Lo, iv.Lo), append(one.Hi, iv.Hi)
		}
		out[s] = one
	}
	return out, nil
}

// jumps lists the ratios at which profiles rise, ascending, thinned by rank if they are many; 1 and
// the end of the axis are among them. A share holds from one to the next.
func jumps(ratios [][]stats.Grid) []float64 {
	var all []float64
	for _, of := range ratios {
		for _, task := range of {
			for _, v := range task.Pool() {
				if known(v) {
					all = append(all, min(max(v, 1), profileEnd))
				}
			}
		}
	}
	all = append(all, 1)
	slices.Sort(all)
	all = slices.Compact(all)
	if n := len(all); n > profileSteps {
		thin := make([]float64, 0, profileSteps)
		for k := range profileSteps {
			thin = append(thin, all[k*(n-1)/(profileSteps-1)])
		}
		all = thin
	}
	if end := all[len(all)-1]; end < 1.01 { // all are as good: a range to be seen
		all = append(all, 1.01)
	}
	return all
}

// ratios gives, per series and x, the numbers over the least of their unit (seeds by units), and
// the most seeds of one.
func (t *Table) ratios() (ratios [][]stats.Grid, seeds int, err error) {
	ratios = make([][]stats.Grid, len(t.Series))
	found := false
	for x := range t.X {
		var units []string
		for s := range t.Series {
			switch c := t.cells[place{x, s}]; {
			case c == nil:
				units = nil
			case s == 0:
				units = c.units
			default:
				units = both(units, c.units)
			}
		}
		if len(units) == 0 {
			continue
		}
		found = true
		least := make([]float64, len(units))
		for i := range least {
			least[i] = math.Inf(1)
		}
		grids := make([]stats.Grid, len(t.Series))
		for s := range t.Series {
			c := t.cells[place{x, s}]
			grids[s] = c.grid(c.seeds, units)
			seeds = max(seeds, len(grids[s]))
			for i := range units {
				mean := 0.0
				for _, row := range grids[s] {
					mean += row[i] / float64(len(grids[s]))
				}
				least[i] = min(least[i], mean)
			}
		}
		for s, g := range grids {
			for _, row := range g {
				for i := range row {
					row[i] /= least[i]
				}
			}
			ratios[s] = append(ratios[s], g)
		}
	}
	if !found {
		return nil, 0, fmt.Errorf("no unit of %s has a number of every %s", t.layout.Metric.Name, t.layout.Series)
	}
	return ratios, seeds, nil
}

// shares gives the share of ratios that are at most tau.
func shares(of []stats.Grid, taus []float64, trained bool) []stats.Interval {
	if !trained { // "above -tau" of the negated ratios; a hair more, so that the best is within 1 of itself
		var st stats.Strata
		for _, g := range of {
			negated := slices.Clone(g.Pool())
			for i := range negated {
				negated[i] = -negated[i]
			}
			st = append(st, negated)
		}
		bounds := make([]float64, len(taus))
		for k, tau := range taus {
			bounds[k] = -math.Nextafter(float64(tau*(1+1e-12)), math.Inf(1))
		}
		return stats.Profile(st, bounds)
	}
	out := make([]stats.Interval, len(taus))
	for k, tau := range taus {
		iv, err := stats.Estimate(of, stats.Share, func(g []stats.Grid) float64 { return within(g, tau) })
		if err != nil { // grids of different widths: as many windows at every x are needed for two levels
			iv = nothing()
			iv.Point = within(of, tau)
		}
		out[k] = iv
	}
	return out
}

// within is the share of numbers that are at most tau.
func within(of []stats.Grid, tau float64) float64 {
	n, in := 0, 0
	for _, g := range of {
		for _, row := range g {
			for _, v := range row {
				n++
				if v <= tau*(1+1e-12) {
					in++
				}
			}
		}
	}
	return float64(in) / float64(n)
}
