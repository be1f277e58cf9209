package dally

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// hosted is what the policy keeps where jobs ask for CPU or memory of their machines.
type hosted struct {
	any    bool // a class asks for some
	seen   plan.Hosts
	mark   int     // of the free list when seen was planned; -1 = not at this instant
	grants int     // that were planned then
	past   []grant // of earlier contests of this instant
}

// forget begins an instant.
func (h *hosted) forget() { h.mark, h.past = -1, h.past[:0] }

// asks reports whether a class asks for CPU or memory.
func (c *class) asks() bool { return c.per.CPUMilli > 0 || c.per.MemMiB > 0 }

// freeFor is the free list as a class sees it: without the GPUs of machines that have no room for
// the CPU and memory that go with them. nil where the cluster has none of its type.
func (p *Policy) freeFor(v *sim.View, c *class) *cluster.Free {
	if !c.asks() {
		return v.Free().Of(c.typ)
	}
	h := &p.hosted
	if n := v.Free().Mark(); n != h.mark || len(p.grants) != h.grants {
		h.mark, h.grants = n, len(p.grants)
		h.seen.Of = p.perOf
		h.seen.Plan(v)
		for _, of := range [...][]grant{h.past, p.grants} {
			for i := range of {
				h.seen.Give(v, p.perOf(of[i].job), p.buf[of[i].lo:of[i].hi])
			}
		}
	}
	return h.seen.Free(v, c.per, p.cfg.Rule)
}

// perOf is what a job asks along with each of its GPUs.
func (p *Policy) perOf(j sim.JobID) cluster.PerGPU { return p.classes[p.of[j]].per }

// emitted remembers grants that have become decisions: they use their machines while others are
// planned.
func (p *Policy) emitted() {
	if p.hosted.any {
		p.hosted.past = append(p.hosted.past, p.grants...)
	}
	p.grants = p.grants[:0]
}

// carries reports whether machines have room for a class on GPUs, ascending, that are free in the
// plan.
func (p *Policy) carries(v *sim.View, c *class, gpus []cluster.GPU) bool {
	if !c.asks() {
		return true
	}
	t, f := v.Topology(), p.freeFor(v, c)
	for i := 0; i < len(gpus); {
		m, n := t.Machine(gpus[i]), 0
		for ; i < len(gpus) && t.Machine(gpus[i]) == m; i++ {
			n++
		}
		if n > f.InMachine(m) {
			return false
		}
	}
	return true
}

// trim cuts from p.buf[n:], GPUs of a class, ascending, that are free in the plan, those for which
// their machines have no room.
func (p *Policy) trim(v *sim.View, c *class, n int) {
	if !c.asks() {
		return
	}
	t, f, at := v.Topology(), p.freeFor(v, c), n
	for i := n; i < len(p.buf); {
		m := t.Machine(p.buf[i])
		for here := f.InMachine(m); i < len(p.buf) && t.Machine(p.buf[i]) == m; i++ {
			if here--; here >= 0 {
				p.buf[at] = p.buf[i]
				at++
			}
		}
	}
	p.buf = p.buf[:at]
}

// slow reports whether a holder of a GPU of these machines writes a checkpoint before it gives up
// what it has of them.
func (p *Policy) slow(v *sim.View, gpus []cluster.GPU) bool {
	t := v.Topology()
	for i, g := range gpus {
		m := t.Machine(g)
		if i > 0 && t.Machine(gpus[i-1]) == m {
			continue
		}
		for lo, hi := t.MachineGPUs(m); lo < hi; lo++ {
			if o := v.Owner(lo); o != sim.NoJob && p.classes[p.of[o]].asks() && v.Run(o).CheckpointTime() > 0 &&
				!p.stays(v, o) {
				return true
			}
		}
	}
	return false
}

// stays reports whether a job keeps all that it holds at this instant: no GPU of it is free in the
// plan, or another's.
func (p *Policy) stays(v *sim.View, j sim.JobID) bool {
	for _, g := range v.Run(j).Held() {
		if v.Free().Has(g) || p.lost(j, g) {
			return false
		}
	}
	gr := p.planned(j)
	return gr == nil || gr.kind != begins && !gr.releases(v)
}

// lost reports whether the plan gives a GPU that a job holds to another.
func (p *Policy) lost(j sim.JobID, g cluster.GPU) bool {
	for i := range p.grants {
		if gr := &p.grants[i]; gr.job != j && slices.Contains(p.buf[gr.lo:gr.hi], g) {
			return true
		}
	}
	return false
}
