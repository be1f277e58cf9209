package digest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/experiments/sweep"
	"tarry/output/results"
	"tarry/run/evaluate"
)

// PolicyAxis names the policy where the sweep has no axis of that name: the column policy.
const PolicyAxis = "policy"

// RegimeAxis names the scenario of a window where the sweep has no axis of that name and its cells'
// environment has a mixture of scenarios: the name of its file.
const RegimeAxis = "regime"

// Layout states which axes of the sweep are the axes of a figure.
type Layout struct {
	// X is the axis along x; "" = there is one group. Series is the axis that separates series.
	X, Series string
	// Metric is what is measured.
	Metric Metric
	// Training states that a cell's seed is the seed of training: the seed and the windows are then
	// two levels of units, and intervals are over both.
	Training bool

	// shown, when set, gives the name that a value of X has in a figure.
	shown func(x string) string

	// name, when set, names the series of a row. Rows that several cells have in common (the same
	// baseline on the same windows) are then taken once.
	name func(c *sweep.Cell, k results.Keys) string
	// chosen are the series that validation chose among the forms of one, chosenAt values of X and
	// series that it chose there.
	chosen   []string
	chosenAt map[[2]string]bool
	// learned, when set, reports whether a row is of what was trained or tuned.
	learned func(k results.Keys) bool
	// value, when set, gives the metric's number of a row in place of a column.
	value func(k results.Keys) float64
}

// number is the metric's of a row; NaN = it has none.
func (l *Layout) number(row *results.Trial) float64 {
	if l.value != nil {
		return l.value(row.Keys)
	}
	return l.Metric.Of(&row.Summary)
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
	// Averaged are the axes of the sweep that are on no axis of the figure and have several values
	// at one of its points, in the order of the cells' ids. A unit's number is then its mean over
	// all their combinations.
	Averaged []Averaged
	// Incomplete is the number of units that were left out because a combination of averaged axes
	// is missing.
	Incomplete int
	// Uneven is the number of workloads that were left out because the series finished different
	// jobs of them.
	Uneven int

	layout  Layout
	cells   map[place]*cell
	starred []string // series that are clairvoyant
	over    map[place]overload
}

// Averaged is an axis over whose values means are taken.
type Averaged struct {
	Name   string
	Values []string
}

type place struct{ x, series int }

// cell holds the numbers of one point: by training seed ("" where there is one level) and unit.
type cell struct {
	seeds []string
	units []string
	at    map[[2]string]float64
}

// Cells gives the cell that a row belongs to; false when it is no part of the data.
type Cells interface {
	Cell(k results.Keys) (sweep.Cell, bool)
}

// Collect lays rows of the table trials or evals out; rows of unknown cells and rows that measured
// nothing (NaN) are left out. No row at all is an error. Seeds, replicates and windows are units;
// another axis of the sweep that is not on the figure is never one: see Table.Averaged.
func Collect(d Cells, rows []results.Trial, l Layout) (*Table, error) {
	t := &Table{layout: l, cells: map[place]*cell{}, over: map[place]overload{}}
	p := newPool()
	uneven := unevenOf(d, rows, &l)
	t.Uneven = len(uneven)
	for i := range rows {
		c, ok := d.Cell(rows[i].Keys)
		v := l.number(&rows[i])
		if !ok || math.IsNaN(v) {
			continue
		}
		if uneven[sameOf(&c, &rows[i], &l)] {
			continue
		}
		x, series := axis(&c, rows[i].Keys, l.X), l.series(&c, rows[i].Keys)
		seed, unit := units(&c, rows[i].Keys, l)
		at := place{index(&t.X, x), index(&t.Series, series)}
		t.over[at] = t.over[at].with(&rows[i].Summary)
		p.add(entry{at, seed, unit, v, others(&c, l.X, l.Series)})
	}
	if len(p.entries) == 0 && t.Uneven > 0 {
		return nil, fmt.Errorf("%w of all %d workloads, so that their means of %s cannot be compared; tarry compare "+
			"and tarry eval compare over the jobs that all finished", ErrUneven, t.Uneven, l.Metric.Name)
	}
	if len(p.entries) == 0 && noneFinished(rows) {
		return nil, errNoneFinished
	}
	if len(p.entries) == 0 {
		return nil, fmt.Errorf("no row has a number in %s: no cell is done, or the tables are of another sweep",
			l.Metric.Name)
	}
	twice, err := p.settle(l.name != nil)
	if err != nil {
		return nil, fmt.Errorf("two rows of %s for %s=%s, %s=%s and %s: the rows differ in something that is "+
			"on no axis",
			l.Metric.Name, l.X, t.X[twice.at.x], l.Series, t.Series[twice.at.series], twice.unit)
	}
	t.cells, t.Averaged, t.Incomplete = p.cells, p.averaged, p.incomplete
	t.starred = clairvoyant(d, rows, &l)
	if len(t.cells) == 0 {
		return nil, fmt.Errorf("no unit of %s has a number for all combinations of %s, which the figure would "+
			"average over; choose with --where", l.Metric.Name, namesOf(t.Averaged))
	}
	return t, nil
}

// only forgets the numbers of other series than the series that keep names.
func (t *Table) only(keep func(series string) bool) {
	for p := range t.cells {
		if !keep(t.Series[p.series]) {
			delete(t.cells, p)
		}
	}
}

// axis is the value of an axis in a cell.
func axis(c *sweep.Cell, k results.Keys, name string) string {
	if v, ok := c.Axes[name]; ok {
		return v
	}
	switch name {
	case PolicyAxis:
		return k.Policy
	case RegimeAxis:
		text, _ := c.Settings["env"].(string)
		return evaluate.RegimeOf(text, k.Replicate)
	}
	return ""
}

// units names the training seed and the unit of a row: the cell's seed where it is not training's,
// and the replicate (of learned policies: the window).
func units(c *sweep.Cell, k results.Keys, l Layout) (seed, unit string) {
	own := "seed=" + strconv.FormatUint(c.Seed, 10) + "/"
	if l.Training {
		seed, own = strconv.FormatUint(c.Seed, 10), ""
	}
	return seed, own + "replicate=" + strconv.FormatInt(k.Replicate, 10)
}

// others lists the values of a cell's axes that are neither of the figure's nor its seed, in the
// order of its id.
func others(c *sweep.Cell, x, series string) []pair {
	var out []pair
	for part := range strings.SplitSeq(c.ID, "/") {
		key, value, _ := strings.Cut(part, "=")
		if key == x || key == series || key == "seed" {
			continue
		}
		if v, ok := c.Axes[key]; ok {
			value = v
		}
		out = append(out, pair{key, value})
	}
	return out
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
