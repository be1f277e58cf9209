package lwf

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// pick chooses and takes GPUs for a demand.
func (p *Policy) pick(v *sim.View, d *plan.Demand) ([]cluster.GPU, bool) {
	f := v.Free().Of(d.Type)
	if f == nil || d.ShareMilli < 1000 {
		return p.place.Place(v, d)
	}
	if f.Total() < int(d.GPUs) {
		return nil, false
	}
	p.machines = p.machines[:0]
	if int(d.GPUs) > p.kappa {
		p.rank(v)
		p.machines = append(p.machines, p.order...)
	} else { // free GPUs have no work left
		for m := range v.Topology().Machines() {
			p.machines = append(p.machines, int32(m))
		}
	}
	p.machines = slices.DeleteFunc(p.machines, func(m int32) bool { return f.InMachine(int(m)) == 0 })
	if gpus, ok := p.place.On(v, d, p.machines...); ok {
		return gpus, true
	}
	return p.place.Place(v, d)
}

// rank orders the machines by the mean work left of their GPUs, equals as they were.
func (p *Policy) rank(v *sim.View) {
	t := v.Topology()
	if !p.loaded {
		p.loaded, p.ordered = true, false
		if p.load == nil {
			p.load = make([]float64, t.Machines())
		}
		clear(p.load)
		for _, j := range v.Running() {
			p.add(v, j, v.Run(j).Held())
		}
	}
	if p.ordered {
		return
	}
	p.ordered = true
	mean := func(m int32) float64 {
		lo, hi := t.MachineGPUs(int(m))
		return p.load[m] / float64(hi-lo)
	}
	slices.SortStableFunc(p.order, func(a, b int32) int { return cmp.Compare(mean(a), mean(b)) })
}

// add adds the time that a job has left to the loads of its machines.
func (p *Policy) add(v *sim.View, j sim.JobID, gpus []cluster.GPU) {
	p.ordered = false
	left := p.time(v, j)
	for _, g := range gpus {
		p.load[v.Topology().Machine(g)] += left
	}
}
