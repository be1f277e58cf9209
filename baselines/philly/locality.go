package philly

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// level is how near to one another the GPUs of a job must be.
type level uint8

const (
	servers level = iota // the fewest servers of one rack that can ever hold the job
	rack                 // servers of one rack
	anywhere
	last = anywhere
)

// levelNames are the levels as settings and measures name them.
var levelNames = [last + 1]string{"servers", "rack", "any"}

// demand is one of plan, and what the GPUs that have not failed could give it.
type demand struct {
	plan.Demand
	known  int32 // the count of faults of which the following is
	fewest int32 // servers of one rack that could hold a job; 0 = none could
	total  int64 // GPUs that they could give in all
}

// spot is a server with room for some GPUs of a demand.
type spot struct{ server, n int32 }

// scratch is what a decision needs.
type scratch struct {
	racks  []int32
	spots  []spot
	caps   []int32
	gpus   []cluster.GPU
	gone   []victim
	stops  []sim.Decision
	within bool // the phase of the decision
	ranked bool
	full   bool // jobs are preempted in this decision
	moved  bool // tries may find more than before
}

// capacity is how many GPUs of a demand a server could carry if it were idle.
func (p *Policy) capacity(t *cluster.Topology, m int, d *demand) int32 {
	if d.Type != "" && len(t.Types()) > 1 && t.Type(m) != d.Type {
		return 0
	}
	n := int64(p.up[m])
	if c := t.CPUMilli(m); c > 0 && d.CPUMilli > 0 {
		n = min(n, c/int64(d.CPUMilli))
	}
	if c := t.MemMiB(m); c > 0 && d.MemMiB > 0 {
		n = min(n, c/int64(d.MemMiB))
	}
	return int32(n)
}

// study finds what the GPUs that have not failed could give a demand.
func (p *Policy) study(v *sim.View, d *demand) {
	if d.known == p.faults {
		return
	}
	t := v.Topology()
	d.known, d.fewest, d.total = p.faults, 0, 0
	for r := range t.Racks() {
		p.buf.caps = p.buf.caps[:0]
		lo, hi := t.RackMachines(r)
		for m := lo; m < hi; m++ {
			n := p.capacity(t, m, d)
			p.buf.caps = append(p.buf.caps, n)
			d.total += int64(n)
		}
		slices.Sort(p.buf.caps)
		left, k := d.GPUs, int32(0)
		for i := len(p.buf.caps) - 1; i >= 0 && left > 0; i-- {
			left -= p.buf.caps[i]
			k++
		}
		if left <= 0 && (d.fewest == 0 || k < d.fewest) {
			d.fewest = k
		}
	}
}

// levelOf is the level that is open to a job: where no rack could hold it the level of all racks.
// It is above last if nothing could.
func (p *Policy) levelOf(v *sim.View, x *job, d *demand) level {
	p.study(v, d)
	switch {
	case d.total < int64(d.GPUs):
		return last + 1
	case d.fewest == 0:
		return anywhere
	}
	return x.level
}

// find gives free GPUs for a demand at the finest level up to one that has them, ascending. They
// are not taken; a share's are none.
func (p *Policy) find(v *sim.View, d *demand, open level) ([]cluster.GPU, level, bool) {
	f := v.Free().Of(d.Type)
	if f == nil {
		return nil, 0, false
	}
	if d.ShareMilli < 1000 {
		gpus, ok := p.place.Place(v, &d.Demand)
		return gpus, servers, ok
	}
	if f.Total() < int(d.GPUs) {
		return nil, 0, false
	}
	p.buf.gpus = p.buf.gpus[:0]
	p.order(v)
	for l := servers; l <= open; l++ {
		if (l == anywhere || d.fewest > 0) && p.fill(v, f, d, l) {
			slices.Sort(p.buf.gpus)
			return p.buf.gpus, l, true
		}
	}
	return nil, 0, false
}

// book takes GPUs that find has given.
func (p *Policy) book(v *sim.View, d *demand, gpus []cluster.GPU) []cluster.GPU {
	if d.ShareMilli < 1000 { // Place has taken it
		return gpus
	}
	return p.place.Given(v, &d.Demand, gpus)
}

// order puts the racks in increasing order of allocation, as a part of their GPUs; the lowest first
// among equals.
func (p *Policy) order(v *sim.View) {
	t, f := v.Topology(), v.Free()
	size := func(r int32) int64 {
		lo, hi := t.RackMachines(int(r))
		first, _ := t.MachineGPUs(lo)
		_, end := t.MachineGPUs(hi - 1)
		return int64(end - first)
	}
	for i := range p.buf.racks {
		r := int32(i)
		n, free := size(r), int64(f.InRack(i))
		at := i
		for ; at > 0; at-- { // more free first
			if o := p.buf.racks[at-1]; int64(f.InRack(int(o)))*n >= free*size(o) {
				break
			}
			p.buf.racks[at] = p.buf.racks[at-1]
		}
		p.buf.racks[at] = r
	}
}

// spotsOf lists the servers of a rack with room for a demand, with most room first, after the
// listed ones.
func (p *Policy) spotsOf(v *sim.View, f *cluster.Free, d *demand, r int32) {
	lo, hi := v.Topology().RackMachines(int(r))
	from := len(p.buf.spots)
	for m := lo; m < hi; m++ {
		free := f.InMachine(m)
		if free == 0 {
			continue
		}
		n := int32(min(free, p.place.Room(v, m, &d.Demand)))
		if n < 1 {
			continue
		}
		p.buf.spots = append(p.buf.spots, spot{})
		at := len(p.buf.spots) - 1
		for ; at > from && p.buf.spots[at-1].n < n; at-- {
			p.buf.spots[at] = p.buf.spots[at-1]
		}
		p.buf.spots[at] = spot{int32(m), n}
	}
}

// fill gives all GPUs of a job at one level, or none.
func (p *Policy) fill(v *sim.View, f *cluster.Free, d *demand, l level) bool {
	if l == servers && d.fewest == 1 {
		return p.pack(v, f, d)
	}
	p.buf.spots = p.buf.spots[:0]
	for _, r := range p.buf.racks {
		if l != anywhere {
			p.buf.spots = p.buf.spots[:0]
		}
		p.spotsOf(v, f, d, r)
		list := p.buf.spots
		if l == servers {
			list = list[:min(len(list), int(d.fewest))]
		}
		sum := int32(0)
		for _, s := range list {
			sum += s.n
		}
		if sum >= d.GPUs {
			p.draw(f, list, p.buf.spots, d.GPUs)
			return true
		}
	}
	return false
}

// draw gives GPUs of spots in their order, and the rest of the server where it fits best, of those
// behind too.
func (p *Policy) draw(f *cluster.Free, list, all []spot, left int32) {
	for i, s := range list {
		if left < s.n {
			for _, o := range all[i+1:] {
				if o.n >= left && o.n < s.n {
					s = o
				}
			}
		}
		n := min(left, s.n)
		p.buf.gpus = f.FromMachine(p.buf.gpus, int(s.server), int(n), cluster.BestFit)
		if left -= n; left == 0 {
			return
		}
	}
}

// pack gives GPUs of the fullest server that has room for all; the first in the order of racks
// among equals.
func (p *Policy) pack(v *sim.View, f *cluster.Free, d *demand) bool {
	if f.Largest(cluster.LevelMachine) < int(d.GPUs) {
		return false
	}
	best, least := -1, 0
	for _, r := range p.buf.racks {
		lo, hi := v.Topology().RackMachines(int(r))
		for m := lo; m < hi; m++ {
			n := f.InMachine(m)
			if n >= int(d.GPUs) && (best < 0 || n < least) && p.place.Room(v, m, &d.Demand) >= int(d.GPUs) {
				best, least = m, n
			}
		}
	}
	if best < 0 {
		return false
	}
	p.buf.gpus = f.FromMachine(p.buf.gpus, best, int(d.GPUs), cluster.BestFit)
	return true
}
