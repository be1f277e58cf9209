package pollux

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// node is a column of a state: the GPUs of a machine, or a part of a large one.
type node struct {
	lo, hi  cluster.GPU
	machine int
}

// perNode is the most that the search can count of a node.
const perNode = 127

// open looks at the cluster.
func (p *Policy) open(v *sim.View) {
	t := v.Topology()
	for m := range t.Machines() {
		for lo, hi := t.MachineGPUs(m); lo < hi; lo += perNode {
			p.nodes = append(p.nodes, node{lo, min(hi, lo+perNode), m})
		}
	}
	sizes := make([]int, len(p.nodes))
	for n := range p.nodes {
		sizes[n] = int(p.nodes[n].hi - p.nodes[n].lo)
	}
	p.search.Open(sizes)
	p.books, p.taken = make([]*book, v.NumJobs()), make([]bool, t.GPUs())
	p.problem.GPUs = make([]uint8, len(p.nodes))
	p.problem.P, p.problem.MaxNodes, p.problem.Avoid = p.cfg.p, p.cfg.machines, p.cfg.avoid
	for _, typ := range t.Types() {
		if len(t.Types()) == 1 {
			break
		}
		no := make([]bool, len(p.nodes))
		for n := range no {
			no[n] = t.Type(p.nodes[n].machine) != typ
		}
		p.barred[typ] = no
	}
}

// round measures, searches and leads to the state found.
func (p *Policy) round(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, j := range p.active {
		if b := p.books[j]; v.Run(j).State() == sim.Running && v.Run(j).Time() > b.ran {
			b.observe(v)
			b.listen(v)
		}
	}
	p.pose(v, out)
	if len(p.order) == 0 {
		return out
	}
	p.problem.Cancelled = v.Cancelled
	p.search.Run(&p.problem)
	w := len(p.nodes)
	p.rows = slices.Grow(p.rows[:0], len(p.order)*w)[:len(p.order)*w]
	for i := range p.order {
		p.search.Row(i, p.rows[i*w:(i+1)*w])
	}
	return p.lead(v, out)
}

// list gives the jobs of a search in order: jobs that run, and as many waiting jobs as the
// limit leaves room for, jobs that have had least first.
func (p *Policy) list(v *sim.View) {
	p.order = p.order[:0]
	room := p.cfg.jobs
	for _, j := range p.active {
		switch v.Run(j).State() {
		case sim.Running:
			room--
			fallthrough
		case sim.Waiting:
			p.order = append(p.order, p.books[j])
		}
	}
	slices.SortFunc(p.order, func(a, b *book) int {
		if c := cmp.Compare(a.attained(v.Now()), b.attained(v.Now())); c != 0 {
			return c
		}
		return cmp.Compare(a.id, b.id) // that is by (submit, id)
	})
	if len(p.order) <= p.cfg.jobs {
		return
	}
	p.order = slices.DeleteFunc(p.order, func(b *book) bool {
		if v.Run(b.id).State() == sim.Running {
			return false
		}
		room--
		return room < 0
	})
}

// pose makes the problem of the jobs of a search. out has the starts of jobs apart at this instant.
func (p *Policy) pose(v *sim.View, out []sim.Decision) {
	p.list(v)
	total := p.capacity(v, out)
	w, n := len(p.nodes), len(p.order)
	p.curves = slices.Grow(p.curves[:0], n)[:n]
	p.bases = slices.Grow(p.bases[:0], n*w)[:n*w]
	p.problem.Jobs = slices.Grow(p.problem.Jobs[:0], n)[:n]
	clear(p.bases)
	fair := max(1, (total+n-1)/max(n, 1))
	for i, b := range p.order {
		x := &p.problem.Jobs[i]
		x.Key, x.Max, x.Least, x.Step = int64(b.id), b.most(p.cfg.max), b.least, b.step
		if x.Nodes = p.cfg.machines; b.least > x.Nodes {
			x.Nodes = b.least // it may need a machine for each
		}
		x.Factor, x.Barred = b.factor(v.Now(), p.cfg.restart), nil
		if b.typ != "" {
			x.Barred = p.barred[b.typ]
		}
		p.curves[i].set(b, fair)
		x.Curve, x.Base = &p.curves[i], p.bases[i*w:(i+1)*w]
		at := 0
		for _, g := range v.Run(b.id).Held() {
			for g >= p.nodes[at].hi {
				at++
			}
			x.Base[at]++
		}
		x.Max = max(x.Max, len(v.Run(b.id).Held()))
	}
}

// capacity counts the GPUs of each node that the jobs may have, including GPUs that they hold, and
// marks the others as taken.
func (p *Policy) capacity(v *sim.View, out []sim.Decision) (total int) {
	for n := range p.nodes {
		for g := p.nodes[n].lo; g < p.nodes[n].hi; g++ {
			p.taken[g] = !v.Up(g) || v.Share(g) > 0
		}
	}
	for i := range out {
		if out[i].Kind == sim.Start {
			for _, g := range out[i].GPUs {
				p.taken[g] = true
			}
		}
	}
	for _, b := range p.order {
		for _, g := range v.Run(b.id).Held() {
			p.taken[g] = false
		}
	}
	for n := range p.nodes {
		k := 0
		for g := p.nodes[n].lo; g < p.nodes[n].hi; g++ {
			if !p.taken[g] {
				k++
			}
		}
		p.problem.GPUs[n] = uint8(k)
		total += k
	}
	return total
}
