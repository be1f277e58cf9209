package hosts

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
)

// Model is a speed model with hosts. It belongs to one run.
type Model struct {
	law    law
	socket float64
	inner  sim.SpeedModel
	top    *cluster.Topology
	set    *models.Set
	other  string
	names  map[string]int32
	shape  cluster.Shape // scratch
}

// leastFeed bounds what a law answers, so that no job stands still because of it.
const leastFeed = 1e-6

// Inner is the model without hosts.
func (m *Model) Inner() sim.SpeedModel { return m.inner }

// Speed implements sim.SpeedModel.
func (m *Model) Speed(q *sim.Query) (sim.Speed, error) {
	s, err := m.inner.Speed(q)
	if err != nil || len(q.GPUs) == 0 || !(s.Rate > 0) {
		return s, err
	}
	if keep := m.keep(q, s.Rate); keep < 1 {
		s.Rate *= keep
		s.ComputeFrac = 1 - float64((1-s.ComputeFrac)*keep)
	}
	return s, nil
}

// keep is the part of the rate within that a job keeps.
func (m *Model) keep(q *sim.Query, rate float64) float64 {
	name := m.name(q.Job.Model)
	if name < 0 && m.socket == 1 {
		return 1
	}
	m.shape = m.top.ShapeOf(m.shape[:0], q.GPUs)
	keep, feed := 1.0, math.Inf(1)
	for i := range m.shape {
		p := &m.shape[i]
		if p.Slots > 1 {
			keep = m.socket
		}
		if name >= 0 {
			cores, memGiB := m.has(q, p)
			feed = min(feed, max(leastFeed, m.law.feed(name, cores, memGiB, int(p.GPUs))))
		}
	}
	if most := float64(len(q.GPUs)) * feed; most < rate {
		keep *= most / rate
	}
	return keep
}

// has is what a job has on a machine for each of its GPUs there: cores, as they are worth to it, and memory in GiB; +Inf where the machine states none.
func (m *Model) has(q *sim.Query, p *cluster.Part) (cores, memGiB float64) {
	machine := int(p.Machine)
	lo, hi := m.top.MachineGPUs(machine)
	all, share := float64(hi-lo), float64(q.ShareMilli)/1000
	if share <= 0 {
		share = 1
	}
	cpu, mem := m.top.CPUMilli(machine), m.top.MemMiB(machine)
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
	if a, b := m.top.MachineSlots(machine); cpu > 0 && b-a > 1 && m.socket < 1 {
		own := float64(cpu) / 1000 * float64(p.Slots) / float64(b-a) / float64(p.GPUs)
		if cores > own {
			cores = max(own, float64(m.socket*cores))
		}
	}
	return cores, memGiB
}

// name is what the law calls a model: by its name, by that of its profile, or by that of the profile that stands in for it.
func (m *Model) name(model string) int32 {
	id, ok := m.names[model]
	if !ok {
		if id = m.law.name(model); id < 0 {
			if p := m.profile(model); p != nil {
				id = m.law.name(p.Name)
			}
		}
		m.names[model] = id
	}
	return id
}

// profile finds a model's profile, nil where there is none.
func (m *Model) profile(model string) *models.Profile {
	find := models.Lookup
	if m.set != nil {
		find = m.set.Lookup
	}
	p, err := find(model)
	if err != nil && m.other != "" {
		p, err = find(m.other)
	}
	if err != nil {
		return nil
	}
	return p
}
