package digest

import (
	"errors"
	"math"
	"slices"
	"strings"
)

// pair is the value of an axis.
type pair struct{ name, value string }

// entry is one number on its way to a point: of a training seed and a unit, in a cell whose other
// axes have these values.
type entry struct {
	at         place
	seed, unit string
	v          float64
	others     []pair
}

// pool collects the entries of a table, finds out over what it would have to average, and does so
// within units: an average over another axis is no repetition, so intervals stay over units.
type pool struct {
	entries    []entry
	cells      map[place]*cell
	averaged   []Averaged
	incomplete int
	along      bool // points of a series are one curve: an axis is averaged over along all of it
}

func newPool() *pool { return &pool{cells: map[place]*cell{}} }

// whole is what an axis must have one value in.
func (p *pool) whole(at place) place {
	if p.along {
		at.x = -1
	}
	return at
}

func (p *pool) add(e entry) { p.entries = append(p.entries, e) }

// errTwice states that two entries are for the same point, unit and combination.
var errTwice = errors.New("two numbers for one unit")

// settle makes the cells. common states that several cells may have measured the same; equal
// numbers are then one.
func (p *pool) settle(common bool) (twice entry, err error) {
	p.averaged = p.leftOver()
	type key struct {
		at          place
		seed, unit  string
		combination string
	}
	type unit struct {
		at                place
		seed, unit, names string
	}
	type group struct { // sweeps that are read together may have other axes
		x     int
		names string
	}
	have := map[key]float64{}
	lists := map[unit][]float64{}
	var order []unit
	all := map[group][]string{} // the combinations that a complete unit has
	for _, e := range p.entries {
		names, values := p.combination(e.others)
		k, g := key{e.at, e.seed, e.unit, values}, group{p.whole(e.at).x, names}
		if old, there := have[k]; there {
			if !common || old != e.v {
				return e, errTwice
			}
			continue
		}
		have[k] = e.v
		if !slices.Contains(all[g], values) {
			all[g] = append(all[g], values)
		}
		u := unit{e.at, e.seed, e.unit, names}
		if lists[u] == nil {
			order = append(order, u)
		}
		lists[u] = append(lists[u], e.v)
	}
	for _, u := range order {
		x := lists[u]
		if len(x) < len(all[group{p.whole(u.at).x, u.names}]) {
			p.incomplete++
			continue
		}
		sum := 0.0
		for _, v := range x {
			sum += v
		}
		p.put(u.at, u.seed, u.unit, sum/float64(len(x)))
	}
	return entry{}, nil
}

func (p *pool) put(at place, seed, unit string, v float64) {
	c := p.cells[at]
	if c == nil {
		c = &cell{at: map[[2]string]float64{}}
		p.cells[at] = c
	}
	index(&c.seeds, seed)
	index(&c.units, unit)
	c.at[[2]string{seed, unit}] = v
}

// leftOver lists the axes that have several values at one point.
func (p *pool) leftOver() []Averaged {
	l := leftOver{first: map[place]map[string]string{}}
	for _, e := range p.entries {
		l.add(p.whole(e.at), e.others)
	}
	return l.several()
}

// leftOver finds the axes that are on no axis of a figure and have several values at one of its
// points.
type leftOver struct {
	first map[place]map[string]string
	all   []Averaged
	more  []string
}

func (l *leftOver) add(at place, others []pair) {
	if l.first[at] == nil {
		l.first[at] = map[string]string{}
	}
	for _, o := range others {
		i := slices.IndexFunc(l.all, func(a Averaged) bool { return a.Name == o.name })
		if i < 0 {
			i = len(l.all)
			l.all = append(l.all, Averaged{Name: o.name})
		}
		index(&l.all[i].Values, o.value)
		if have, there := l.first[at][o.name]; !there {
			l.first[at][o.name] = o.value
		} else if have != o.value {
			index(&l.more, o.name)
		}
	}
}

// several lists them in the order of the cells' ids.
func (l *leftOver) several() []Averaged {
	return slices.DeleteFunc(slices.Clone(l.all), func(a Averaged) bool { return !slices.Contains(l.more, a.Name) })
}

// combination gives the names and the values of the averaged axes that a cell has.
func (p *pool) combination(others []pair) (names, values string) {
	var n, v strings.Builder
	for _, o := range others {
		if slices.ContainsFunc(p.averaged, func(a Averaged) bool { return a.Name == o.name }) {
			n.WriteString(o.name + "/")
			v.WriteString(o.name + "=" + o.value + "/")
		}
	}
	return n.String(), v.String()
}

// namesOf lists axes with their values: "racks (2, 4), restore (0, 30)".
func namesOf(of []Averaged) string {
	var out []string
	for _, a := range of {
		out = append(out, a.Name+" ("+strings.Join(a.Values, ", ")+")")
	}
	return strings.Join(out, ", ")
}

// known reports whether there is a number.
func known(v float64) bool { return !math.IsNaN(v) }
