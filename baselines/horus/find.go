package horus

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// plans are the GPUs that a job may get.
type plans struct {
	nodes []node
	near  []node // from a seed on, the nearest first
	best  []cluster.GPU
	tried []cluster.GPU
	own   []cluster.GPU
}

// node is a machine with GPUs for the job.
type node struct {
	machine int32
	least   float64 // the cost of its cheapest
	gpus    int32   // how many the job may have there
	apart   int32   // racks between it and the seed
}

func (a node) compare(b node) int {
	return cmp.Or(cmp.Compare(a.apart, b.apart), cmp.Compare(a.least, b.least), cmp.Compare(a.machine, b.machine))
}

// find chooses the GPUs of a job: each of the cheapest nodes, as many as it has tasks, is the seed
// of a plan, which continues in its rack and then in the nearest ones; the plan on the fewest nodes
// is taken, the first of those.
func (p *Policy) find(v *sim.View, j sim.JobID) bool {
	p.price(v, j)
	n, q := int(p.demand.Demand(j).GPUs), &p.plans
	if p.list(v, j) < n {
		return false
	}
	slices.SortFunc(q.nodes, node.compare)
	fewest := math.MaxInt
	for _, seed := range q.nodes[:min(n, len(q.nodes))] {
		if used := p.from(v, seed, n); used < fewest {
			fewest = used
			q.best, q.tried = q.tried, q.best
			if used == 1 {
				break
			}
		}
	}
	slices.Sort(q.best)
	return true
}

// list makes the list of nodes and gives how many GPUs they have together.
func (p *Policy) list(v *sim.View, j sim.JobID) int {
	t, q, sum := v.Topology(), &p.plans, 0
	q.nodes = q.nodes[:0]
	for m := range t.Machines() {
		one := node{machine: int32(m), least: math.Inf(1)}
		lo, hi := t.MachineGPUs(m)
		for x := lo; x < hi; x++ {
			if c := p.gpus.cost[x]; !math.IsInf(c, 1) {
				one.gpus++
				one.least = min(one.least, c)
			}
		}
		if one.gpus = int32(min(int(one.gpus), p.place.Room(v, m, p.demand.Demand(j)))); one.gpus > 0 {
			q.nodes = append(q.nodes, one)
			sum += int(one.gpus)
		}
	}
	return sum
}

// from makes the plan of a seed in tried and gives how many nodes it uses.
func (p *Policy) from(v *sim.View, seed node, n int) int {
	t, q := v.Topology(), &p.plans
	q.near = append(q.near[:0], q.nodes...)
	rack := t.Rack(int(seed.machine))
	for i := range q.near {
		a := &q.near[i]
		if d := t.Rack(int(a.machine)) - rack; d < 0 {
			a.apart = int32(-d)
		} else {
			a.apart = int32(d)
		}
		if a.machine == seed.machine {
			a.apart = -1 // first
		}
	}
	slices.SortFunc(q.near, node.compare)
	q.tried = q.tried[:0]
	for i, a := range q.near {
		lo, hi := t.MachineGPUs(int(a.machine))
		q.own = q.own[:0]
		for x := lo; x < hi; x++ {
			if !math.IsInf(p.gpus.cost[x], 1) {
				q.own = append(q.own, x)
			}
		}
		p.cheapest(q.own)
		q.tried = append(q.tried, q.own[:min(n-len(q.tried), int(a.gpus))]...)
		if len(q.tried) == n {
			return i + 1
		}
	}
	return math.MaxInt // not reached: together they have enough
}

// cheapest sorts GPUs by cost, the lowest number first among equals.
func (p *Policy) cheapest(gpus []cluster.GPU) {
	cost := p.gpus.cost
	for i := 1; i < len(gpus); i++ { // few, and nearly in order
		for k := i; k > 0 && cost[gpus[k]] < cost[gpus[k-1]]; k-- {
			gpus[k], gpus[k-1] = gpus[k-1], gpus[k]
		}
	}
}
