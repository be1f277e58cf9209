package program

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"tarry/internal/choice"
)

// row is the row of a type in the choice of types; the last types share one where there are many,
// which bounds the sum from above none the less.
func (p *Program) row(on int) int { return min(on, p.rows-1) }

// state writes the problem of types for some jobs: the free GPUs of all machines of a type together.
func (p *Program) state(jobs []int) {
	p.caps = slices.Grow(p.caps[:0], p.rows)[:p.rows]
	clear(p.caps)
	for i := range p.machines {
		p.caps[p.row(p.machines[i].Type)] += float64(p.machines[i].GPUs)
	}
	p.problem.Reset(p.caps)
	for _, j := range jobs {
		p.problem.Option(0)
		for on := range p.types {
			if p.Value(j, on) > 0 && p.size[on] > 0 {
				p.problem.Option(-p.Value(j, on))[p.row(on)] = float64(p.jobs[j].GPUs)
			}
		}
		p.problem.Close()
	}
	p.solver.Price = p.solver.Price[:0] // equal problems have equal answers
}

// chooseTypes chooses a type, or none, for each job, and gives a bound of the sum of all places.
func (p *Program) chooseTypes(nodes int) (bound float64) {
	p.state(p.order)
	p.solver.MaxNodes = nodes
	cost, err := p.solver.Pick(&p.problem)
	if err != nil && (!errors.Is(err, choice.ErrNodes) || math.IsInf(cost, 1)) {
		return math.Inf(1)
	}
	for g, j := range p.order {
		p.on[j] = p.typeOf(j, p.solver.Picked(g)-int(p.problem.First[g]))
		if p.on[j] >= 0 {
			p.wide = append(p.wide, j)
		}
	}
	slices.SortStableFunc(p.wide, func(a, b int) int { return cmp.Compare(p.jobs[b].GPUs, p.jobs[a].GPUs) })
	if err != nil {
		return math.Inf(1)
	}
	return -cost
}

// typeOf is the type of a job's n-th option, -1 for the first, which is none.
func (p *Program) typeOf(j, n int) int {
	for on := range p.types {
		if p.Value(j, on) > 0 && p.size[on] > 0 {
			if n--; n == 0 {
				return on
			}
		}
	}
	return -1
}

// put places the chosen types, the widest job first, where there is room.
func (p *Program) put() {
	for _, j := range p.wide {
		p.fit(j, p.on[j])
	}
}

// linear bounds the sum of the jobs from the i-th of the order on, from above.
func (p *Program) linear(i int) float64 {
	p.state(p.order[i:])
	cost, err := p.solver.Minimise(&p.problem)
	if err != nil {
		return math.Inf(1)
	}
	return -min(cost, p.solver.Bound)
}
