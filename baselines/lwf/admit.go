package lwf

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// book is which jobs cross each link, of running jobs and jobs that this decision starts. Links
// are numbered as sim.Links has them; machines' uplinks come first, by machine.
type book struct {
	open    bool // it is of this decision
	on      [][]sim.JobID
	touched []int32
	links   []int32
}

// begin counts the running jobs.
func (b *book) begin(v *sim.View) {
	if b.open {
		return
	}
	b.open = true
	if b.on == nil {
		b.on = make([][]sim.JobID, max(v.Links().Count(), v.Topology().Machines()+v.Topology().Racks()))
	}
	for _, l := range b.touched {
		b.on[l] = b.on[l][:0]
	}
	b.touched = b.touched[:0]
	for _, j := range v.Running() {
		if v.Run(j).Level() > cluster.LevelMachine {
			b.add(v, j, v.Run(j).Held())
		}
	}
}

// add notes a job on its links.
func (b *book) add(v *sim.View, j sim.JobID, gpus []cluster.GPU) {
	for _, l := range b.cross(v, j, gpus) {
		b.on[l] = append(b.on[l], j)
		b.touched = append(b.touched, l)
	}
}

// cross gives the links that a job crosses on GPUs, until the next call. Without links in the speed
// model they are the uplinks of its machines, where it has several, and of its racks.
func (b *book) cross(v *sim.View, j sim.JobID, gpus []cluster.GPU) []int32 {
	b.links = b.links[:0]
	if at := v.Links(); at.Count() > 0 {
		b.links = at.Crosses(b.links, j, gpus, v.Run(j).Knobs().Path)
		return b.links
	}
	t := v.Topology()
	for _, g := range gpus {
		if m := int32(t.Machine(g)); len(b.links) == 0 || b.links[len(b.links)-1] != m {
			b.links = append(b.links, m)
		}
	}
	if len(b.links) < 2 {
		b.links = b.links[:0]
		return b.links
	}
	if machines := len(b.links); t.LevelOf(gpus) > cluster.LevelRack {
		for _, m := range b.links[:machines] {
			if r := int32(t.Machines() + t.Rack(int(m))); b.links[len(b.links)-1] != r {
				b.links = append(b.links, r)
			}
		}
	}
	return b.links
}

// verdict is whether a job may start on GPUs.
type verdict int

const (
	admitted     verdict = iota
	refused              // for what it has to send
	refusedLinks         // as any job would be there
)

// judge decides about a job on GPUs.
func (p *Policy) judge(v *sim.View, j sim.JobID, gpus []cluster.GPU) verdict {
	if p.most == 0 || v.Topology().LevelOf(gpus) <= cluster.LevelMachine {
		return admitted
	}
	p.book.begin(v)
	links, busiest := p.book.cross(v, j, gpus), 0
	for _, l := range links {
		busiest = max(busiest, len(p.book.on[l]))
	}
	switch {
	case busiest == 0 || !p.ada && busiest < p.most:
		return admitted
	case !p.ada || busiest > 1:
		return refusedLinks
	}
	p.ask(v, j, gpus)
	size := p.message(v, j)
	for _, l := range links {
		for _, old := range p.book.on[l] {
			if p.message(v, old) < float64(p.threshold*size) {
				return refused
			}
		}
	}
	return admitted
}

// message is the seconds for which a job that started has still to communicate when alone.
func (p *Policy) message(v *sim.View, j sim.JobID) float64 { return p.time(v, j) * p.jobs[j].comm }
