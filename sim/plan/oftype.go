package plan

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// OfType chooses GPUs of the i-th of Topology.Types for a demand, consolidated, and takes them;
// with -1 GPUs of any types. It is for policies that choose the type: the demand's own is not
// looked at, and a demand for a share gets a GPU that is free.
func (p *Placer) OfType(v *sim.View, i int, d *Demand) ([]cluster.GPU, bool) {
	f := v.Free()
	if i >= 0 {
		f = f.Type(i)
	}
	n := len(p.arena)
	if d.hosted() {
		if !p.hostAt(v, f, d) && !p.hostScan(v, f, d) {
			return nil, false
		}
	} else if !p.finest(f, int(d.GPUs)) {
		return nil, false
	}
	gpus := p.arena[n:len(p.arena):len(p.arena)]
	for _, g := range gpus {
		p.book(v, g, d.ShareMilli, d)
	}
	return gpus, true
}

// Stay takes GPUs that the plan has free, for a demand of their number; it reports false and takes
// none when one is not free, or a machine has no room for the CPU and memory of the demand.
func (p *Placer) Stay(v *sim.View, gpus []cluster.GPU, d *Demand) bool {
	for _, g := range gpus {
		if !v.Free().Has(g) {
			return false
		}
	}
	if d.hosted() && !p.carry(v, gpus, d) {
		return false
	}
	for _, g := range gpus {
		p.book(v, g, d.ShareMilli, d)
	}
	return true
}
