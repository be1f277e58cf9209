package digest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/experiments/sweep"
	"tarry/output/figure"
	"tarry/output/results"
)

// heap holds values of jobs that belong together: values of a series in cells whose other axes have
// these values.
type heap struct {
	series string
	others []pair
	values []float64
}

// CDF draws the distribution of a value of the jobs on a logarithmic axis, one curve per value of
// an axis ("policy" is the column where no axis has that name), with the jobs of all units
// together, and a panel per value of the other axes as far as there is room. keep chooses cells;
// nil = all. It reads the table jobs in bounded pieces, but holds the values.
func (b *Book) CDF(ctx context.Context, name, caption, series, xLabel string, keep func(c *sweep.Cell) bool,
	value func(j *results.Job) float64) {
	heaps, units, left, err := b.heaps(ctx, series, keep, value)
	if err == nil && len(heaps) == 0 {
		err = errors.New("no job of a done cell has a value")
	}
	if err != nil {
		b.add(name, caption, nil, err)
		return
	}
	axes := split(left)
	var panels []figure.Panel
	least, most := math.MaxInt, 0
	for _, values := range combinations(heaps, axes, func(h heap) []pair { return h.others }) {
		samples := merged(heaps, axes, values)
		looks := make([]figure.Series, len(samples))
		for i, s := range samples {
			looks[i].Name = s.Name
			least, most = min(least, len(s.Values)), max(most, len(s.Values))
		}
		b.looks(series, looks)
		for i := range samples {
			samples[i].Look = looks[i].Look
		}
		f, err := figure.CDF("", figure.Axis{Label: xLabel, Log: true}, samples)
		if err != nil {
			b.add(name, caption, nil, err)
			return
		}
		panels = append(panels, figure.Panel{Values: values, Figure: f})
	}
	f, err := figure.Facets(caption, axes, panels)
	if err == nil {
		f.SetTitle(caption)
		f.Note = fmt.Sprintf("%s per line, of %s together; no interval.",
			sampleSize([2]int{least, most}, "jobs"), strings.TrimPrefix(sampleSize([2]int{units, units}, "runs"), "n="))
		for _, a := range left {
			if !slices.Contains(axes, a.Name) {
				f.Note += fmt.Sprintf(" Jobs of %s=%s are pooled; --where %s=%s shows one.", a.Name,
					strings.Join(a.Values, "|"), a.Name, a.Values[0])
				f.Column("pooled_over_"+a.Name, strings.Join(a.Values, "|"))
			}
		}
	}
	b.star(f, series)
	b.add(name, caption, f, err)
}

// heaps reads the values, how many units one series and combination has at most, and the axes that
// several series values share.
func (b *Book) heaps(ctx context.Context, series string, keep func(c *sweep.Cell) bool,
	value func(j *results.Job) float64) (out []heap, units int, several []Averaged, err error) {
	at := map[string]int{}
	seen := map[string]map[results.Keys]bool{}
	left := leftOver{first: map[place]map[string]string{}}
	var names []string
	mine := map[results.Keys]bool{} // a part of a book has the jobs of its own cells alone
	for i := range b.rows {
		mine[results.Keys{Experiment: b.rows[i].Experiment, Cell: b.rows[i].Cell}] = true
	}
	err = b.jobs(ctx, func(rows []results.Job) error {
		for i := range rows {
			c, ok := b.d.Cell(rows[i].Keys)
			if !ok || keep != nil && !keep(&c) || !mine[results.Keys{Experiment: rows[i].Experiment,
				Cell: rows[i].Cell}] {
				continue
			}
			v := value(&rows[i])
			if math.IsNaN(v) {
				continue
			}
			name, rest := axis(&c, rows[i].Keys, series), others(&c, "", series)
			key := name + "\x00" + fmt.Sprint(rest)
			h, there := at[key]
			if !there {
				h = len(out)
				at[key] = h
				out = append(out, heap{series: name, others: rest})
				seen[key] = map[results.Keys]bool{}
				left.add(place{-1, index(&names, name)}, rest)
			}
			out[h].values = append(out[h].values, v)
			seen[key][results.Keys{Cell: rows[i].Cell, Replicate: rows[i].Replicate}] = true
		}
		return nil
	})
	for _, s := range seen {
		units = max(units, len(s))
	}
	return out, units, left.several(), err
}

// jobs reads the table jobs of what the book is about.
func (b *Book) jobs(ctx context.Context, each func(rows []results.Job) error) error {
	switch d := b.d.(type) {
	case *sweep.Data:
		return sweep.Scan(ctx, d, each)
	case interface {
		Jobs(ctx context.Context, each func(rows []results.Job) error) error
	}:
		return d.Jobs(ctx, each)
	}
	return errors.New("there is no table jobs")
}

// valueOf is the value of an axis; "" = there is none.
func valueOf(of []pair, name string) string {
	for _, p := range of {
		if p.name == name {
			return p.value
		}
	}
	return ""
}

// combinations lists the values of some axes in the order in which they come; without axes there is
// one, of none.
func combinations[T any](all []T, axes []string, others func(T) []pair) [][]string {
	var out [][]string
	for _, one := range all {
		values := valuesOf(others(one), axes)
		if !slices.ContainsFunc(out, func(have []string) bool { return slices.Equal(have, values) }) {
			out = append(out, values)
		}
	}
	return out
}

func valuesOf(of []pair, axes []string) []string {
	values := make([]string, len(axes))
	for i, a := range axes {
		values[i] = valueOf(of, a)
	}
	return values
}

// merged makes a sample per series of the heaps that have these values.
func merged(heaps []heap, axes, values []string) []figure.Sample {
	var names []string
	var out []figure.Sample
	for _, h := range heaps {
		if !slices.Equal(valuesOf(h.others, axes), values) {
			continue
		}
		s := index(&names, h.series)
		if s == len(out) {
			out = append(out, figure.Sample{Name: h.series})
		}
		out[s].Values = append(out[s].Values, h.values...)
	}
	return out
}
