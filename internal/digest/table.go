package digest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/internal/results"
	"tarry/internal/sweep"
)

// PolicyAxis names the policy where the sweep has no axis of that name: the column policy.
const PolicyAxis = "policy"

// Layout says which axes of the sweep are the axes of a figure.
type Layout struct {
	// X is the axis along x; "" = there is one group. Series is the axis that tells series apart.
	X, Series string
	// Metric is what is measured.
	Metric Metric
	// Training says that a cell's seed is that of training: the seed and the windows are then two
	// levels of units, and intervals are over both.
	Training bool

	// shown, when set, gives the name that a value of X has in a figure.
	shown func(x string) string

	// name, when set, names the series of a row. Rows that several cells have in common (the same baseline on
	// the same windows) are then taken once.
	name func(c *sweep.Cell, k results.Keys) string
}

// series names the series of a row.
func (l *Layout) series(c *sweep.Cell, k results.Keys) string {
	if l.name != nil {
		return l.name(c, k)
	}
	return axis(c, k, l.Series)
}

// Table is the numbers of a figure, by x, series and unit.
type Table struct {
	// X and Series are the values of the axes, in the order of the sweep's cells.
	X, Series []string

	layout Layout
	cells  map[place]*cell
}

type place struct{ x, series int }

// cell holds the numbers of one point: by training seed ("" where there is one level) and unit.
type cell struct {
	seeds []string
	units []string
	at    map[[2]string]float64
}

// Collect lays rows of the table trials or evals out; rows of unknown cells and rows that measured nothing
// (NaN) are left out. No row at all is an error.
func Collect(d *sweep.Data, rows []results.Trial, l Layout) (*Table, error) {
	t := &Table{layout: l, cells: map[place]*cell{}}
	for i := range rows {
		c, ok := d.Cell(rows[i].Keys)
		v := l.Metric.Of(&rows[i].Summary)
		if !ok || math.IsNaN(v) {
			continue
		}
		x, series := axis(&c, rows[i].Keys, l.X), l.series(&c, rows[i].Keys)
		p := place{index(&t.X, x), index(&t.Series, series)}
		at := t.cells[p]
		if at == nil {
			at = &cell{at: map[[2]string]float64{}}
			t.cells[p] = at
		}
		seed, unit := units(&c, rows[i].Keys, l)
		if !slices.Contains(at.seeds, seed) {
			at.seeds = append(at.seeds, seed)
		}
		key := [2]string{seed, unit}
		if have, twice := at.at[key]; twice && (l.name == nil || have != v) {
			return nil, fmt.Errorf("two rows of %s for %s=%s, %s=%s and %s: the rows differ in something that is on no axis", l.Metric.Name, l.X, x, l.Series, series, unit)
		}
		if !slices.Contains(at.units, unit) {
			at.units = append(at.units, unit)
		}
		at.at[key] = v
	}
	if len(t.cells) == 0 {
		return nil, fmt.Errorf("no row has a number in %s: no cell is done, or the tables are those of another sweep", l.Metric.Name)
	}
	return t, nil
}

// only forgets the numbers of other series than those that keep names.
func (t *Table) only(keep func(series string) bool) {
	for p := range t.cells {
		if !keep(t.Series[p.series]) {
			delete(t.cells, p)
		}
	}
}

// axis is the value of an axis in a cell.
func axis(c *sweep.Cell, k results.Keys, name string) string {
	if v, ok := c.Axes[name]; ok || name != PolicyAxis {
		return v
	}
	return k.Policy
}

// units names the training seed and the unit of a row: what is on no axis of the figure.
func units(c *sweep.Cell, k results.Keys, l Layout) (seed, unit string) {
	var b strings.Builder
	for part := range strings.SplitSeq(c.ID, "/") {
		key, value, _ := strings.Cut(part, "=")
		switch {
		case key == l.X || key == l.Series:
		case key == "seed" && l.Training:
			seed = value
		default:
			b.WriteString(part + "/")
		}
	}
	return seed, b.String() + "replicate=" + strconv.FormatInt(k.Replicate, 10)
}

// index gives the position of a name, which is appended if it is new.
func index(names *[]string, name string) int {
	if i := slices.Index(*names, name); i >= 0 {
		return i
	}
	*names = append(*names, name)
	return len(*names) - 1
}

// Numbers reads the values of X as numbers; false when one of them is none.
func (t *Table) Numbers() ([]float64, bool) {
	out := make([]float64, len(t.X))
	for i, x := range t.X {
		v, err := strconv.ParseFloat(x, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}
