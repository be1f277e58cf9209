package program

import (
	"cmp"
	"math"
	"slices"

	"tarry/internal/choice"
)

// Machine is a machine as it is now.
type Machine struct {
	// Type is an index from 0 on.
	Type int
	// GPUs are free, of Size in all.
	GPUs, Size int
	// CPUMilli and MemMiB are free; math.MaxInt where there is no bound.
	CPUMilli, MemMiB int
}

// Job is what a job asks for: GPUs, 1 and more, and CPU and memory beside each of them.
type Job struct{ GPUs, CPUMilli, MemMiB int }

// Part is GPUs of a machine.
type Part struct{ Machine, GPUs int }

// Program is one problem. The zero value is ready for Reset; memory is kept.
type Program struct {
	types    int
	machines []Machine
	size     []int // by type: the GPUs of its largest machine
	jobs     []Job
	values   []float64 // job x type
	places   [][]Part  // by job, of the present search
	best     [][]Part  // by job, of the best that was found
	sum      float64   // of best
	order    []int     // jobs, the largest value first
	wide     []int     // jobs of a choice of types, the widest first
	on       []int     // by job: its type in that choice, -1 = none
	try      []int     // scratch of places: machines, a stretch for each depth
	kinds    []int     // scratch: types, a stretch for each depth

	rows    int
	problem choice.Problem
	solver  choice.Solver
	caps    []float64
	left    int // nodes of the branch and bound
	bound   float64
}

// Reset empties a problem on so many types.
func (p *Program) Reset(types int) {
	p.types, p.rows = types, min(types, choice.MaxRows)
	p.machines, p.jobs, p.values = p.machines[:0], p.jobs[:0], p.values[:0]
	p.size = slices.Grow(p.size[:0], types)[:types]
	clear(p.size)
}

// AddMachine adds a machine; they are numbered from 0 on.
func (p *Program) AddMachine(m Machine) {
	p.machines = append(p.machines, m)
	p.size[m.Type] = max(p.size[m.Type], m.Size)
}

// AddJob adds a job with its value on each type, finite; 0 and less = it does not run there. Jobs are
// numbered from 0 on. The values are copied.
func (p *Program) AddJob(j Job, values []float64) {
	p.jobs = append(p.jobs, j)
	p.values = append(p.values, values...)
}

// Value is a job's value on a type.
func (p *Program) Value(job, on int) float64 { return p.values[job*p.types+on] }

// Answer is what Solve found.
type Answer struct {
	// Sum is of the values of the jobs that run.
	Sum float64
	// Proved states that no places have a larger one.
	Proved bool
	// Nodes is how many nodes the branch and bound visited; 0 = the choice of types had room.
	Nodes int
}

// Solve finds places with the largest sum, with so many nodes of branch and bound at most, for the
// types and for the places. Without a proof it gives the best that it found, no less than Greedy's.
func (p *Program) Solve(nodes int) Answer {
	p.start()
	p.greedy()
	p.keep()
	p.undo()
	if len(p.jobs) == 0 {
		return Answer{Proved: true}
	}
	p.bound = p.chooseTypes(nodes)
	p.put()
	p.keep()
	p.undo()
	a := Answer{Sum: p.sum, Proved: p.reached()}
	if !a.Proved {
		p.left = nodes
		p.branch(0, 0)
		a = Answer{Sum: p.sum, Nodes: nodes - max(0, p.left), Proved: p.left > 0 || p.reached()}
	}
	p.commit()
	return a
}

// Greedy gives each job in the order of the largest values its most valuable type that has room, and
// there the machine that leaves the fewest GPUs.
func (p *Program) Greedy() float64 {
	p.start()
	p.greedy()
	p.keep()
	p.undo()
	p.commit()
	return p.sum
}

// Parts are the places of a job in the last answer, ascending; empty = it does not run. The slice is
// valid until the next Reset.
func (p *Program) Parts(job int) []Part { return p.best[job] }

// start makes room and sorts the jobs.
func (p *Program) start() {
	n := len(p.jobs)
	p.places, p.best = grown(p.places, n), grown(p.best, n)
	p.order, p.wide = p.order[:0], p.wide[:0]
	p.on = slices.Grow(p.on[:0], n)[:n]
	for j := range p.jobs {
		p.order, p.on[j] = append(p.order, j), -1
	}
	slices.SortStableFunc(p.order, func(a, b int) int { return cmp.Compare(p.most(b), p.most(a)) })
	p.sum, p.try, p.kinds = math.Inf(-1), p.try[:0], p.kinds[:0]
}

// roomy is for how many parts of a job there is room from the start.
const roomy = 8

// grown has n empty lists, in their memory.
func grown(lists [][]Part, n int) [][]Part {
	for len(lists) < n {
		lists = append(lists, make([]Part, 0, roomy))
	}
	for i := range lists {
		lists[i] = lists[i][:0]
	}
	return lists
}

// most is a job's largest value.
func (p *Program) most(j int) float64 { return slices.Max(p.values[j*p.types : (j+1)*p.types]) }

// keep takes the present places as the best, if their sum is larger.
func (p *Program) keep() {
	sum := 0.0
	for j := range p.jobs {
		if parts := p.places[j]; len(parts) > 0 {
			sum += p.Value(j, p.machines[parts[0].Machine].Type)
		}
	}
	if sum <= p.sum {
		return
	}
	p.sum = sum
	for j := range p.jobs {
		p.best[j] = append(p.best[j][:0], p.places[j]...)
	}
}

// undo gives all present places back.
func (p *Program) undo() {
	for j := range p.jobs {
		p.leave(j)
	}
}

// commit takes the best places, so that jobs that follow have what is left.
func (p *Program) commit() {
	for j := range p.jobs {
		for _, x := range p.best[j] {
			p.charge(j, x, 1)
		}
		slices.SortFunc(p.best[j], func(a, b Part) int { return cmp.Compare(a.Machine, b.Machine) })
	}
}

// reached reports whether the best sum is the bound.
func (p *Program) reached() bool { return p.sum >= p.bound-near(p.bound) }

// near is what counts as no difference of a sum.
func near(sum float64) float64 { return 1e-9 * (1 + math.Abs(sum)) }
