package deepboot

import (
	"cmp"
	"math"
	"slices"

	"tarry/baselines/deepboot/ats"
	"tarry/baselines/pollux"
	"tarry/baselines/pollux/search"
)

// division finds numbers of GPUs by the knapsack, and nodes for them.
type division struct {
	knapsack ats.Knapsack
	node     int // GPUs of the largest
	values   [][]float64
	worth    []float64
	rows     []uint8 // job by job
	free     []int
	open     []int // free GPUs of the nodes that a job may use
	order    []int
}

// Open implements pollux.Finder.
func (d *division) Open(nodes []int) { d.node = slices.Max(nodes) }

// Run implements pollux.Finder.
func (d *division) Run(p *search.Problem) {
	room := 0
	d.free = d.free[:0]
	for _, g := range p.GPUs {
		d.free = append(d.free, int(g))
		room += int(g)
	}
	d.measure(p, room)
	counts := d.knapsack.Counts(d.values, room)
	w := len(p.GPUs)
	d.rows = slices.Grow(d.rows[:0], len(p.Jobs)*w)[:len(p.Jobs)*w]
	clear(d.rows)
	d.order = d.order[:0]
	for i := range p.Jobs {
		if base := p.Jobs[i].Base; counts[i] > 0 && held(base) == counts[i] {
			copy(d.rows[i*w:], base)
			for n, g := range base {
				d.free[n] -= int(g)
			}
		} else if counts[i] > 0 {
			d.order = append(d.order, i)
		}
	}
	slices.SortStableFunc(d.order, func(a, b int) int { return cmp.Compare(counts[a], counts[b]) })
	for _, i := range d.order {
		d.place(&p.Jobs[i], d.rows[i*w:(i+1)*w], counts[i])
	}
}

// measure values each number of GPUs of each job.
func (d *division) measure(p *search.Problem, room int) {
	d.worth, d.values = d.worth[:0], slices.Grow(d.values[:0], len(p.Jobs))[:len(p.Jobs)]
	for i := range p.Jobs {
		j := &p.Jobs[i]
		for w := 1; w <= min(j.Max, room); w++ {
			v := math.Inf(-1)
			if w >= j.Least && w%max(1, j.Step) == 0 {
				v = j.Curve.Speedup((w+d.node-1)/d.node, w)
				if w != held(j.Base) {
					v *= j.Factor
				}
			}
			d.worth = append(d.worth, v)
		}
	}
	at := 0
	for i := range p.Jobs {
		n := min(p.Jobs[i].Max, room)
		d.values[i] = d.worth[at : at+n]
		at += n
	}
}

// held counts the GPUs of a row.
func held(row []uint8) (n int) {
	for _, g := range row {
		n += int(g)
	}
	return n
}

// place gives a job GPUs of the nodes that it may use. Where these have too few, by types, it gets as many
// whole workers as there are, or nothing below its least.
func (d *division) place(j *search.Job, row []uint8, count int) {
	need := count
	for need > 0 {
		d.open = append(d.open[:0], d.free...)
		for n, no := range j.Barred {
			if no {
				d.open[n] = 0
			}
		}
		n := ats.Node(d.open, need)
		if n < 0 {
			break
		}
		take := min(d.free[n], need)
		row[n] += uint8(take)
		d.free[n] -= take
		need -= take
	}
	if need == 0 {
		return
	}
	keep := (count - need) / max(1, j.Step) * max(1, j.Step)
	if keep < max(1, j.Least) {
		keep = 0
	}
	for n := range row {
		back := max(0, int(row[n])-keep)
		row[n] -= uint8(back)
		d.free[n] += back
		keep -= int(row[n])
	}
}

// Row implements pollux.Finder.
func (d *division) Row(job int, row []uint8) { copy(row, d.rows[job*len(row):]) }

// Clone implements pollux.Finder. A division remembers nothing from one search to the next.
func (d *division) Clone() pollux.Finder { return &division{node: d.node} }
