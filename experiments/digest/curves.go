package digest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"tarry/experiments/sweep"
	"tarry/internal/stats"
	"tarry/output/figure"
	"tarry/output/results"
)

// maxThreads bounds the hairlines of one series: more are grey.
const maxThreads = 12

// curve is a value of a seed after some steps of training.
type curve struct {
	series string
	steps  float64
	seed   string
	v      float64
	others []pair
}

// curves reads a value of the rows of the table curves; NaN = the row has none.
func (b *Book) curves(rows []results.Curve, series string, keep func(c *sweep.Cell) bool,
	value func(r *results.Curve) float64) []curve {
	var out []curve
	for i := range rows {
		c, ok := b.d.Cell(rows[i].Keys)
		v := value(&rows[i])
		if !ok || keep != nil && !keep(&c) || math.IsNaN(v) {
			continue
		}
		out = append(out, curve{axis(&c, rows[i].Keys, series), float64(rows[i].EnvSteps),
			strconv.FormatUint(c.Seed, 10), v, others(&c, "", series)})
	}
	return out
}

// Curves draws a value of the table curves over environment steps: mean and Student's 95 % interval
// over the seeds that have a number there, single seeds as hairlines, and a panel per value of the
// other axes as far as there is room.
func (b *Book) Curves(name, caption, series, yLabel string, rows []results.Curve, keep func(c *sweep.Cell) bool,
	value func(r *results.Curve) float64) {
	b.paintCurves(name, caption, series, figure.Axis{Label: "environment steps"}, figure.Axis{Label: yLabel},
		b.curves(rows, series, keep, value))
}

func (b *Book) paintCurves(name, caption, series string, x, y figure.Axis, all []curve) {
	if len(all) == 0 {
		b.add(name, caption, nil, errors.New("no update or point of a done cell has a value"))
		return
	}
	left := leftOver{first: map[place]map[string]string{}}
	var names []string
	for _, c := range all {
		left.add(place{-1, index(&names, c.series)}, c.others)
	}
	axes := split(left.several())
	var panels []figure.Panel
	var over []Averaged
	n := [2]int{math.MaxInt, 0}
	for _, values := range combinations(all, axes, func(c curve) []pair { return c.others }) {
		part := slices.DeleteFunc(slices.Clone(all), func(c curve) bool {
			return !slices.Equal(valuesOf(c.others,
				axes), values)
		})
		s, averaged := along(part)
		over = averaged
		b.looks(series, s)
		for _, one := range s {
			n = [2]int{min(n[0], slices.Min(one.N)), max(n[1], slices.Max(one.N))}
		}
		f, err := figure.Lines("", x, y, s)
		if err != nil {
			b.add(name, caption, nil, err)
			return
		}
		panels = append(panels, figure.Panel{Values: values, Figure: f})
	}
	f, err := figure.Facets(caption, axes, panels)
	if err == nil {
		f.SetTitle(caption)
		if f.Note = sampleSize(n, "seeds") + ": no interval."; n[1] > 1 {
			f.Note = "Means with Student's 95 % intervals over " + sampleSize(n, "seeds") +
				"; hairlines are single seeds."
		}
		for _, a := range over {
			averagedOver(f, a)
		}
	}
	b.star(f, series)
	b.add(name, caption, f, err)
}

// along makes a series per name: the mean over seeds at each number of steps, ascending, with its
// interval. What several values of another axis measured is averaged within each seed, where all of
// them did; these axes are named in the caption.
func along(all []curve) (out []figure.Series, over []Averaged) {
	p := newPool()
	p.along = true
	var names []string
	var steps []float64
	for _, c := range all {
		if !slices.Contains(steps, c.steps) {
			steps = append(steps, c.steps)
		}
	}
	slices.Sort(steps)
	seen := map[string]bool{}
	for _, c := range all {
		x, _ := slices.BinarySearch(steps, c.steps)
		e := entry{place{x, index(&names, c.series)}, "", c.seed, c.v, c.others}
		if k := fmt.Sprint(e.at, e.unit, e.others); !seen[k] { // an update without a step repeats its predecessor's
			seen[k] = true
			p.add(e)
		}
	}
	if _, err := p.settle(true); err != nil {
		return nil, nil // entries are there once
	}
	for s, name := range names {
		out = append(out, p.curve(s, name, steps))
	}
	return out, p.averaged
}

// curve makes the series of one name.
func (p *pool) curve(s int, name string, steps []float64) figure.Series {
	one := figure.Series{Name: name}
	var seeds []string
	for x, at := range steps {
		c := p.cells[place{x, s}]
		if c == nil {
			continue
		}
		values := make([]float64, 0, len(c.units))
		for _, u := range c.units {
			index(&seeds, u)
			values = append(values, c.at[[2]string{"", u}])
		}
		iv := stats.Student(values)
		if iv.N < 2 {
			iv.Lo, iv.Hi = math.NaN(), math.NaN()
		}
		one.X, one.Y, one.Lo, one.Hi, one.N = append(one.X, at), append(one.Y, iv.Point), append(one.Lo, iv.Lo),
			append(one.Hi, iv.Hi), append(one.N, iv.N)
	}
	if len(seeds) < 2 || len(seeds) > maxThreads {
		return one
	}
	for _, seed := range seeds {
		m := figure.Member{Name: "seed " + seed}
		for _, at := range one.X {
			x, _ := slices.BinarySearch(steps, at)
			v, ok := p.cells[place{x, s}].at[[2]string{"", seed}]
			if !ok {
				v = math.NaN()
			}
			m.Y = append(m.Y, v)
		}
		one.Members = append(one.Members, m)
	}
	return one
}
