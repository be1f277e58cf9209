package heet

import (
	"math"
	"slices"

	"tarry/sim"
)

// match gives each job its least number of GPUs: jobs of the largest number first, and in each
// group a matching of least weight of jobs to groups of GPUs. Jobs are added in the order of parts;
// one for which nothing is left, even if others move, gets nothing.
func (p *Policy) match(v *sim.View) {
	p.sizes = p.sizes[:0]
	for i := range p.parts {
		if x := &p.parts[i]; x.selected && !slices.Contains(p.sizes, x.lo) {
			p.sizes = append(p.sizes, x.lo)
		}
	}
	slices.Sort(p.sizes)
	for _, size := range slices.Backward(p.sizes) {
		p.group(v, size)
	}
}

// group matches the jobs of one size. Groups of GPUs of a type are equal: no type has more columns
// than there are jobs.
func (p *Policy) group(v *sim.View, size int) {
	jobs := 0
	for i := range p.parts {
		if p.parts[i].selected && p.parts[i].lo == size {
			jobs++
		}
	}
	p.columns = p.columns[:0]
	for r, left := range p.left {
		for range min(left/size, jobs) {
			p.columns = append(p.columns, r)
		}
	}
	if len(p.columns) == 0 {
		return
	}
	if p.columns[0] == p.columns[len(p.columns)-1] { // one type: no choice
		p.first(v, size)
		return
	}
	w := &p.weights
	w.p, w.v, w.rows = p, v, p.rows[:0]
	p.solver.Begin(w, len(p.columns))
	for i := range p.parts {
		if x := &p.parts[i]; !x.selected || x.lo != size {
			continue
		}
		w.rows = append(w.rows, i)
		if _, err := p.solver.Add(); err != nil { // it does not fit, and nothing has changed
			w.rows = w.rows[:len(w.rows)-1]
		}
	}
	for row, i := range w.rows {
		x := &p.parts[i]
		x.typ, x.n = p.columns[p.solver.Column(row)], size
		p.left[x.typ] -= size
	}
	p.rows = w.rows
}

// first gives the groups of the only type that has some to the first jobs that run there, which is
// what matching does.
func (p *Policy) first(v *sim.View, size int) {
	r, groups := p.columns[0], len(p.columns)
	for i := range p.parts {
		if x := &p.parts[i]; groups > 0 && x.selected && x.lo == size && p.value(v, x, r, size) >= 0 {
			x.typ, x.n = r, size
			p.left[r] -= size
			groups--
		}
	}
}

// weights are the costs of a matching.
type weights struct {
	p    *Policy
	v    *sim.View
	rows []int
}

// Row implements assign.Costs: 1 - value, less stay where the job has GPUs of that type.
func (w *weights) Row(i int, out []float64) {
	x := &w.p.parts[w.rows[i]]
	last := -1
	for c := range out {
		r := w.p.columns[c]
		if r == last {
			out[c] = out[c-1]
			continue
		}
		last = r
		if out[c] = math.Inf(1); w.p.value(w.v, x, r, x.lo) >= 0 {
			if out[c] = 1 - w.p.value(w.v, x, r, x.lo); r == x.had {
				out[c] -= w.p.stay
			}
		}
	}
}
