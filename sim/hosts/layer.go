package hosts

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
)

// Layer is the stack.Layer of hosts. It belongs to one run.
type Layer struct {
	law    law
	socket float64
	top    *cluster.Topology
	set    *models.Set
	other  string
	names  map[string]int32
	shape  cluster.Shape // scratch
}

// leastFeed bounds what a law answers, so that no job stands still because of it.
const leastFeed = 1e-6

// NewLayer makes the layer of a rule. set, which may be nil, has the names that models are also
// known by; other names the profile of models that are not in it, "" = none.
func NewLayer(r *Rule, top *cluster.Topology, set *models.Set, other string) *Layer {
	return &Layer{law: r.law, socket: r.socket, top: top, set: set, other: other, names: map[string]int32{}}
}

// Answer bounds the speed by what the hosts deliver. Time spent waiting for data is not
// communication.
func (l *Layer) Answer(q *sim.Query, s *sim.Speed) float64 {
	if !(s.Rate > 0) {
		return 1
	}
	keep := l.keep(q, s.Rate)
	if keep < 1 {
		s.Rate *= keep
		s.ComputeFrac = 1 - float64((1-s.ComputeFrac)*keep)
	}
	return keep
}

// keep is the part of the rate within that a job keeps.
func (l *Layer) keep(q *sim.Query, rate float64) float64 {
	name := l.name(q.Job.Model)
	if name < 0 && l.socket == 1 {
		return 1
	}
	l.shape = l.top.ShapeOf(l.shape[:0], q.GPUs)
	keep, feed := 1.0, math.Inf(1)
	for i := range l.shape {
		p := &l.shape[i]
		if p.Slots > 1 {
			keep = l.socket
		}
		if name >= 0 {
			cores, memGiB := l.has(q, p)
			feed = min(feed, max(leastFeed, l.law.feed(name, cores, memGiB, int(p.GPUs))))
		}
	}
	if most := float64(len(q.GPUs)) * feed; most < rate {
		keep *= most / rate
	}
	return keep
}

// has is what a job has on a machine for each of its GPUs there: cores, as they count for it,
// and memory in GiB; +Inf where the machine states none.
func (l *Layer) has(q *sim.Query, p *cluster.Part) (cores, memGiB float64) {
	machine := int(p.Machine)
	lo, hi := l.top.MachineGPUs(machine)
	all, share := float64(hi-lo), float64(q.ShareMilli)/1000
	if share <= 0 {
		share = 1
	}
	cpu, mem := l.top.CPUMilli(machine), l.top.MemMiB(machine)
	cores, memGiB = math.Inf(1), math.Inf(1)
	switch {
	case q.CPUMilli > 0:
		cores = float64(q.CPUMilli) / 1000
	case cpu > 0:
		cores = float64(cpu) / 1000 / all * share
	}
	switch {
	case q.MemMiB > 0:
		memGiB = float64(q.MemMiB) / 1024
	case mem > 0:
		memGiB = float64(mem) / 1024 / all * share
	}
	if a, b := l.top.MachineSlots(machine); cpu > 0 && b-a > 1 && l.socket < 1 {
		own := float64(cpu) / 1000 * float64(p.Slots) / float64(b-a) / float64(p.GPUs)
		if cores > own {
			cores = max(own, float64(l.socket*cores))
		}
	}
	return cores, memGiB
}

// name is what the law calls a model: by its name, by its profile's name, or by the name of the
// profile that stands in for it.
func (l *Layer) name(model string) int32 {
	id, ok := l.names[model]
	if !ok {
		if id = l.law.name(model); id < 0 {
			if p := l.profile(model); p != nil {
				id = l.law.name(p.Name)
			}
		}
		l.names[model] = id
	}
	return id
}

// profile finds a model's profile, nil where there is none.
func (l *Layer) profile(model string) *models.Profile {
	find := models.Lookup
	if l.set != nil {
		find = l.set.Lookup
	}
	p, err := find(model)
	if err != nil && l.other != "" {
		p, err = find(l.other)
	}
	if err != nil {
		return nil
	}
	return p
}
