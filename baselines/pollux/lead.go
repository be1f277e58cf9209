package pollux

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// lead gives jobs the GPUs of their rows: on each node first the GPUs that they hold.
func (p *Policy) lead(v *sim.View, out []sim.Decision) []sim.Decision {
	w, need := len(p.nodes), 0
	for _, g := range p.rows {
		need += int(g)
	}
	p.gpus, p.wants = slices.Grow(p.gpus[:0], need), p.wants[:0]
	for _, j := range p.apart {
		if v.Run(j).State() == sim.Running {
			p.wants = append(p.wants, plan.Want{Job: j, GPUs: v.Run(j).Held()})
		}
	}
	for i, b := range p.order {
		p.keep(v, b, p.rows[i*w:(i+1)*w])
	}
	for i, b := range p.order {
		if row := p.rows[i*w : (i+1)*w]; slices.ContainsFunc(row, func(g uint8) bool { return g > 0 }) {
			p.wants = append(p.wants, p.want(v, b, row))
		}
	}
	n := len(out)
	out = p.target.Decide(v, p.wants, out)
	return p.note(v, n, out)
}

// keep marks the GPUs that a job holds and keeps as taken.
func (p *Policy) keep(v *sim.View, b *book, row []uint8) {
	at, kept := 0, uint8(0)
	for _, g := range v.Run(b.id).Held() {
		for g >= p.nodes[at].hi {
			at, kept = at+1, 0
		}
		if kept < row[at] {
			p.taken[g] = true
			kept++
		}
	}
}

// want is a job's row as GPUs, with the knobs of its batch.
func (p *Policy) want(v *sim.View, b *book, row []uint8) plan.Want {
	held, from, nodes := v.Run(b.id).Held(), len(p.gpus), 0
	for n, k := range row {
		x := &p.nodes[n]
		own := 0
		for own < len(held) && held[own] < x.hi {
			own++
		}
		if k > 0 {
			nodes++
			p.choose(x, held[:own], int(k))
		}
		held = held[own:]
	}
	w := plan.Want{Job: b.id, GPUs: p.gpus[from:len(p.gpus):len(p.gpus)]}
	if p.cfg.tuned {
		w.Knobs = b.knobs(nodes, len(w.GPUs))
	}
	return w
}

// choose appends k GPUs of a node, ascending: own ones, then the lowest free ones.
func (p *Policy) choose(x *node, own []cluster.GPU, k int) {
	stay := min(k, len(own))
	more := k - stay
	for g := x.lo; g < x.hi && stay+more > 0; g++ {
		switch {
		case len(own) > 0 && own[0] == g:
			if own = own[1:]; stay > 0 {
				p.gpus = append(p.gpus, g)
				stay--
			}
		case more > 0 && !p.taken[g]:
			p.gpus = append(p.gpus, g)
			p.taken[g] = true
			more--
		}
	}
}

// note enters what was decided into the books. Jobs that get GPUs are watched until they begin to
// run.
func (p *Policy) note(v *sim.View, from int, out []sim.Decision) []sim.Decision {
	for _, d := range out[from:] {
		b := (*book)(nil)
		if d.Kind == sim.Start || d.Kind == sim.Migrate || d.Kind == sim.Resize || d.Kind == sim.Preempt {
			b = p.books[d.Job]
		}
		switch {
		case b == nil:
		case d.Kind == sim.Preempt:
			b.stops(v.Now())
		default:
			b.gets(v.Now(), v.Run(d.Job).Time(), p.spread(d.GPUs), len(d.GPUs))
			if at, ok := whole(v.Run(d.Job).Done()); ok && p.cfg.tuned && !b.fixed {
				out = append(out, sim.Decision{Kind: sim.Watch, Job: d.Job, Counter: sim.Progress, Bound: at + 1})
			}
		}
	}
	return out
}

// spread counts the nodes of an allocation.
func (p *Policy) spread(gpus []cluster.GPU) int {
	nodes, at := 0, 0
	for i, g := range gpus {
		was := at
		for g >= p.nodes[at].hi {
			at++
		}
		if i == 0 || at != was {
			nodes++
		}
	}
	return nodes
}
