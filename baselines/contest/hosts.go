package contest

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
	past   []Grant // of earlier contests of this instant
}

// forget Begins an instant.
func (h *hosted) forget() { h.mark, h.past = -1, h.past[:0] }

// asks reports whether a class asks for CPU or memory.
func (c *Class) Asks() bool { return c.Per.CPUMilli > 0 || c.Per.MemMiB > 0 }

// freeFor is the free list as a class sees it: without the GPUs of machines that have no room for
// the CPU and memory that go with them. nil where the cluster has none of its type.
func (p *Policy) FreeFor(v *sim.View, c *Class) *cluster.Free {
	if c.plain {
		return v.Free()
	}
	return p.chosenFree(v, c)
}

// chosenFree is FreeFor of a class that asks for a type, CPU or memory.
func (p *Policy) chosenFree(v *sim.View, c *Class) *cluster.Free {
	if !c.Asks() {
		return v.Free().Of(c.Per.Type)
	}
	h := &p.hosted
	if n := v.Free().Mark(); n != h.mark || len(p.Grants) != h.grants {
		h.mark, h.grants = n, len(p.Grants)
		h.seen.Of = p.perOf
		h.seen.Plan(v)
		for _, of := range [...][]Grant{h.past, p.Grants} {
			for i := range of {
				h.seen.Give(v, p.perOf(of[i].Job), p.GPUs[of[i].Lo:of[i].Hi])
			}
		}
	}
	return h.seen.Free(v, c.Per, p.cfg.Rule)
}

// perOf is what a job asks along with each of its GPUs.
func (p *Policy) perOf(j sim.JobID) cluster.PerGPU { return p.ClassOf(j).Per }

// emitted remembers grants that have become decisions: they use their machines while others are
// planned.
func (p *Policy) emitted() {
	if p.hosted.any {
		p.hosted.past = append(p.hosted.past, p.Grants...)
	}
	p.Grants = p.Grants[:0]
}

// carries reports whether machines have room for a class on GPUs, ascending, that are free in the
// plan.
func (p *Policy) Carries(v *sim.View, c *Class, gpus []cluster.GPU) bool {
	if !c.Asks() {
		return true
	}
	t, f := v.Topology(), p.FreeFor(v, c)
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

// trim cuts from p.GPUs[n:], GPUs of a class, ascending, that are free in the plan, those for which
// their machines have no room.
func (p *Policy) Trim(v *sim.View, c *Class, n int) {
	if !c.Asks() {
		return
	}
	t, f, at := v.Topology(), p.FreeFor(v, c), n
	for i := n; i < len(p.GPUs); {
		m := t.Machine(p.GPUs[i])
		for here := f.InMachine(m); i < len(p.GPUs) && t.Machine(p.GPUs[i]) == m; i++ {
			if here--; here >= 0 {
				p.GPUs[at] = p.GPUs[i]
				at++
			}
		}
	}
	p.GPUs = p.GPUs[:at]
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
			if o := v.Owner(lo); o != sim.NoJob && p.ClassOf(o).Asks() && v.Run(o).CheckpointTime() > 0 &&
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
	gr := p.Planned(j)
	return gr == nil || gr.Kind != Begins && !gr.Releases(v)
}

// lost reports whether the plan gives a GPU that a job holds to another, or an earlier contest of this
// instant did.
func (p *Policy) lost(j sim.JobID, g cluster.GPU) bool {
	for _, of := range [...][]Grant{p.hosted.past, p.Grants} {
		for i := range of {
			if gr := &of[i]; gr.Job != j && slices.Contains(p.GPUs[gr.Lo:gr.Hi], g) {
				return true
			}
		}
	}
	return false
}
