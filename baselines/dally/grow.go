package dally

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// growIdle gives free GPUs to the elastic jobs of this instant's grants, then to running ones near
// them.
func (p *Policy) growIdle(v *sim.View) {
	if v.Free().Total() == 0 {
		return
	}
	for i := range p.grants {
		if gr := &p.grants[i]; (gr.kind == begins || gr.kind == renews) && !gr.releases(v) && p.elastic(v, gr.job) {
			p.growGrant(v, gr)
		}
	}
	for m := range v.Topology().Machines() {
		if v.Free().InMachine(m) > 0 {
			p.growIn(v, m)
		}
	}
	if p.cfg.Elastic.Over {
		p.growOver(v)
	}
}

// growOver gives what is left to the elastic jobs of grants and to running ones, the first in the
// order of the contest first, wherever it lies.
func (p *Policy) growOver(v *sim.View) {
	if p.late || v.Free().Total() == 0 {
		return
	}
	p.growing = p.growing[:0]
	add := func(j sim.JobID, has int) {
		if p.goal(v, j) > has {
			p.growing = append(p.growing, entry{job: j, key: p.key(v, j)})
		}
	}
	for _, j := range v.Running() {
		if p.changeable(v, j) {
			add(j, len(v.Run(j).Held()))
		}
	}
	for i := range p.grants {
		if gr := &p.grants[i]; (gr.kind == begins || gr.kind == renews || gr.kind == grown) && !gr.releases(v) &&
			p.elastic(v, gr.job) {
			add(gr.job, gr.hi-gr.lo)
		}
	}
	slices.SortFunc(p.growing, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.key, b.key),
			cmp.Compare(a.job, b.job))
	})
	for _, e := range p.growing {
		p.growAnywhere(v, e.job)
	}
}

// overGain is by how much the predicted speed of a job must rise for GPUs of other machines.
const overGain = 0.1

// growAnywhere lets a job grow to all it may, or a half of that, and so on, if that makes it
// faster.
func (p *Policy) growAnywhere(v *sim.View, j sim.JobID) {
	gr, f, lo, step := p.planned(j), p.freeFor(v, p.classes[p.of[j]]), len(p.buf), v.Job(j).WorkerGPUs()
	has := func() {
		if p.buf = p.buf[:lo]; gr == nil {
			p.buf = append(p.buf, v.Run(j).Held()...)
			return
		}
		p.buf = append(p.buf, p.buf[gr.lo:gr.hi]...)
	}
	has()
	before := v.Predict(j, sim.Placement{GPUs: p.buf[lo:], Alone: true}).Rate
	for more := min(p.goal(v, j)-(len(p.buf)-lo), f.Total()); more >= step; more /= 2 {
		more -= more % step
		l := cluster.LevelSlot
		for ; f.Largest(l) < more; l++ {
		}
		has()
		p.buf, _ = f.At(p.buf, more, l, p.cfg.Rule)
		slices.Sort(p.buf[lo:])
		if v.Predict(j, sim.Placement{GPUs: p.buf[lo:], Alone: true}).Rate < before*(1+overGain) {
			continue
		}
		p.claim(v, lo)
		if gr != nil {
			gr.lo, gr.hi = lo, len(p.buf)
			return
		}
		p.grants = append(p.grants, grant{job: j, lo: lo, hi: len(p.buf), kind: grown})
		return
	}
	p.buf = p.buf[:lo]
}

// goal is how many GPUs a job grows to.
func (p *Policy) goal(v *sim.View, j sim.JobID) int {
	if !p.cfg.Elastic.Max {
		return v.Job(j).GPUs()
	}
	_, hi := v.Job(j).Range()
	return hi
}

// growGrant lets a grant of this instant grow.
func (p *Policy) growGrant(v *sim.View, gr *grant) {
	more := p.goal(v, gr.job) - (gr.hi - gr.lo)
	if more < v.Job(gr.job).WorkerGPUs() {
		return
	}
	lo := len(p.buf)
	p.buf = append(p.buf, p.buf[gr.lo:gr.hi]...)
	had := len(p.buf)
	if p.near(v, gr.job, lo, more); len(p.buf) == had {
		p.buf = p.buf[:lo]
		return
	}
	p.claim(v, lo)
	gr.lo, gr.hi = lo, len(p.buf)
}

// growIn lets running jobs grow in a machine, the first in the order of the contest first, and
// reports whether any did.
func (p *Policy) growIn(v *sim.View, m int) bool {
	p.growing = p.growing[:0]
	lo, hi := v.Topology().MachineGPUs(m)
	for g := lo; g < hi; g++ {
		j := v.Owner(g)
		if j == sim.NoJob || slices.ContainsFunc(p.growing, func(e entry) bool { return e.job == j }) ||
			!p.changeable(v, j) || p.goal(v, j) <= len(v.Run(j).Held()) {
			continue
		}
		p.growing = append(p.growing, entry{job: j, turn: int32(j), key: p.key(v, j)})
	}
	slices.SortFunc(p.growing, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.key, b.key),
			cmp.Compare(a.job, b.job))
	})
	any := false
	for _, e := range p.growing {
		gr := grant{job: e.job, lo: len(p.buf), kind: grown}
		p.buf = append(p.buf, v.Run(e.job).Held()...)
		had := len(p.buf)
		if p.near(v, e.job, gr.lo, p.goal(v, e.job)-(had-gr.lo)); len(p.buf) == had {
			p.buf = p.buf[:gr.lo]
			continue
		}
		p.claim(v, gr.lo)
		gr.hi = len(p.buf)
		p.grants = append(p.grants, gr)
		any = true
	}
	return any
}

// claim takes the GPUs of p.buf from lo on that are free.
func (p *Policy) claim(v *sim.View, lo int) {
	for _, g := range p.buf[lo:] {
		if v.Free().Has(g) {
			v.Free().Take(g)
		}
	}
}

// near extends the allocation p.buf[lo:] of a job by up to more free GPUs of its machines, those of
// its slots first, and sorts it.
func (p *Policy) near(v *sim.View, j sim.JobID, lo, more int) {
	t, f := v.Topology(), p.freeFor(v, p.classes[p.of[j]])
	had, step := len(p.buf), v.Job(j).WorkerGPUs()
	for _, sameSlot := range [...]bool{true, false} {
		for i := lo; i < had && len(p.buf)-had < more; i++ {
			m := t.Machine(p.buf[i])
			if i > lo && (t.Machine(p.buf[i-1]) == m && (!sameSlot || t.Slot(p.buf[i-1]) == t.Slot(p.buf[i]))) {
				continue
			}
			from, to := t.MachineGPUs(m)
			for g := from; g < to && len(p.buf)-had < more; g++ {
				if f.Has(g) && (!sameSlot || t.Slot(g) == t.Slot(p.buf[i])) && p.there(v, g) &&
					!slices.Contains(p.buf[lo:], g) {
					p.buf = append(p.buf, g)
				}
			}
		}
	}
	p.buf = p.buf[:had+(len(p.buf)-had)/step*step]
	slices.Sort(p.buf[lo:])
}

// there reports whether a GPU that is free in the plan will be so when the decisions are applied:
// with checkpoints that take time those of ended leases are not.
func (p *Policy) there(v *sim.View, g cluster.GPU) bool { return !p.late || v.Owner(g) == sim.NoJob }

// spreadElsewhere does something better with the GPUs of a spread start, and reports whether the
// contest is to look again: running jobs yield a near place for it, or those near its GPUs take
// them.
func (p *Policy) spreadElsewhere(v *sim.View, c *class, e entry, at cluster.Level) bool {
	if at <= c.home || v.Run(e.job).State() == sim.Running {
		return false
	}
	if p.cfg.Elastic.Yield != noYield && p.cfg.Elastic.Spread && p.admit(v, c, e) {
		return true
	}
	if p.cfg.Elastic.Grow != growSpread {
		return false
	}
	n := len(p.spread)
	p.spread, _ = p.freeFor(v, c).At(p.spread, c.gpus, at, p.cfg.Rule)
	any := false
	for i, g := range p.spread[n:] {
		if m := v.Topology().Machine(g); i == 0 || v.Topology().Machine(p.spread[n+i-1]) != m {
			any = p.growIn(v, m) || any
		}
	}
	p.spread = p.spread[:n]
	return any
}
