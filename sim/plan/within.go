package plan

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// PlaceWithin is Place with a limit: it gives nothing coarser than the level.
func (p *Placer) PlaceWithin(v *sim.View, d *Demand, limit cluster.Level) ([]cluster.GPU, bool) {
	f := v.Free().Of(d.Type)
	if f == nil || d.ShareMilli == 1000 && f.Largest(max(limit, cluster.LevelSlot)) < int(d.GPUs) {
		return nil, false
	}
	gpus, ok := p.Place(v, d)
	if ok && v.Topology().LevelOf(gpus) > limit {
		p.cancel(v, gpus, d)
		return nil, false
	}
	return gpus, ok
}

// Try places a demand by a rule and takes it back at once; the GPUs, which are valid until the next
// choice, and whether there were any.
func (p *Placer) Try(put Put, v *sim.View, j sim.JobID, d *Demand) ([]cluster.GPU, bool) {
	gpus, ok := p.Put(put, v, j, d)
	if ok {
		p.cancel(v, gpus, d)
	}
	return gpus, ok
}

// cancel takes back the last placement of the decision.
func (p *Placer) cancel(v *sim.View, gpus []cluster.GPU, d *Demand) {
	p.Give(v, gpus, d)
	p.arena = p.arena[:len(p.arena)-len(gpus)]
}

// Available is the finest level, from or coarser, at which whole GPUs for a demand are free
// now, with the CPU and memory that it asks for; false when there are none.
func (p *Placer) Available(v *sim.View, d *Demand, from cluster.Level) (cluster.Level, bool) {
	f := v.Free().Of(d.Type)
	if f == nil {
		return from, false
	}
	if d.hosted() {
		return p.availableHosted(v, f, d, from)
	}
	for l := from; l <= cluster.LevelCluster; l++ {
		if f.Largest(l) >= int(d.GPUs) {
			return l, true
		}
	}
	return from, false
}

// availableHosted is Available for a demand for CPU or memory, machine by machine. It does not
// distinguish slots and machines.
func (p *Placer) availableHosted(v *sim.View, f *cluster.Free, d *Demand, from cluster.Level) (cluster.Level, bool) {
	t, g, machine, rack, all := v.Topology(), int(d.GPUs), 0, 0, 0
	for r := range t.Racks() {
		sum := 0
		for lo, hi := t.RackMachines(r); lo < hi; lo++ {
			if n := f.InMachine(lo); n > 0 {
				n = min(n, p.roomOf(v, lo, d))
				machine = max(machine, n)
				sum += n
			}
		}
		rack = max(rack, sum)
		all += sum
	}
	for l, n := range [...]int{machine, machine, machine, rack, all} {
		if l := cluster.Level(l); l >= from && n >= g {
			return l, true
		}
	}
	return from, false
}

// Each calls f with every demand that has waiting jobs and with the smallest weight among them.
func (q *Queue) Each(f func(d *Demand, least float64)) {
	for i := range q.classes {
		if c := &q.classes[i]; c.first != none {
			f(&c.Demand, q.nodes[q.tree(c)].least)
		}
	}
}

// Note gives the demand of a job before it joins the queue. It must not be changed.
func (q *Queue) Note(v *sim.View, j sim.JobID) *Demand {
	if len(q.nodes) < v.NumJobs() {
		q.grow(v.NumJobs())
	}
	if n := &q.nodes[j]; n.class == none {
		n.class = q.classOf(v, j)
	}
	return q.Demand(j)
}

// Weight is the weight that a job was added with.
func (q *Queue) Weight(j sim.JobID) float64 { return q.nodes[j].weight }

// Unplan plans as if GPUs that a job of the demand holds, or that were chosen for it in this
// decision, were free; Plan undoes it.
func (p *Placer) Unplan(v *sim.View, gpus []cluster.GPU, d *Demand) {
	for _, g := range gpus {
		p.unbook(v, g, d)
	}
}

// Plan undoes an Unplan of the same decision, if nothing was placed since.
func (p *Placer) Plan(v *sim.View, gpus []cluster.GPU, d *Demand) {
	for _, g := range gpus {
		p.book(v, g, d.ShareMilli, d)
	}
}

// Keep undoes a Vacate of the same decision, if nothing was placed since.
func (p *Placer) Keep(v *sim.View, j sim.JobID, d *Demand) {
	for _, g := range v.Run(j).Held() {
		p.book(v, g, d.ShareMilli, d)
	}
}

// Given books whole GPUs, ascending, that the caller has chosen and that are free; the slice that
// it gives is valid until the next Begin.
func (p *Placer) Given(v *sim.View, d *Demand, gpus []cluster.GPU) []cluster.GPU {
	n := len(p.arena)
	p.arena = append(p.arena, gpus...)
	for _, g := range gpus {
		p.book(v, g, d.ShareMilli, d)
	}
	return p.arena[n:len(p.arena):len(p.arena)]
}
