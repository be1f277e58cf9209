package speed

import (
	"slices"

	"tarry/sim"
	"tarry/sim/network"
)

// divide gives the gathered jobs their shares, or where they have phases their parts of the time.
func (m *Contended) divide() {
	if !m.cfg.Phase || !m.interlock() {
		m.share()
	}
	for _, l := range m.queue {
		m.local[l] = -1
	}
	for _, id := range m.group {
		m.jobs[id].seen = false
	}
}

// share gives the gathered jobs their shares.
func (m *Contended) share() {
	m.rates = m.rates[:0]
	for range m.group {
		m.rates = append(m.rates, 0)
	}
	if m.cfg.Share == ShareCount {
		m.count()
	} else {
		m.capacities()
		m.flow()
		m.sharing.Divide(m.rates, m.capacity, m.flows)
	}
	for i, id := range m.group {
		f := &m.jobs[id]
		share := m.shareOf(f, m.rates[i])
		if m.cfg.Phase {
			m.take(id, float64(share)/whole)
		} else if share != f.share {
			f.share = share
			m.touch(id)
		}
	}
}

// touch notes a job whose speed has changed.
func (m *Contended) touch(id sim.JobID) {
	if f := &m.jobs[id]; !f.told {
		f.told = true
		m.touched = append(m.touched, id)
	}
}

// shareOf is the share of a job that is given a rate.
func (m *Contended) shareOf(f *flow, given float64) int32 {
	switch {
	case f.demand == 0:
		return whole
	case m.cfg.Share == ShareLevel && given <= 0:
		return 0
	}
	return part(given, f.demand)
}

// capacities lists what the gathered links carry.
func (m *Contended) capacities() {
	m.capacity = m.capacity[:0]
	for _, l := range m.queue {
		m.capacity = append(m.capacity, m.graph.Capacity[l])
	}
}

// flow lists the gathered jobs as flows over the gathered links.
func (m *Contended) flow() {
	for len(m.flows) < len(m.group) {
		if m.flows = m.flows[:cap(m.flows)]; len(m.flows) < len(m.group) {
			m.flows = append(m.flows, network.Flow{})
		}
	}
	m.flows = m.flows[:len(m.group)]
	for i, id := range m.group {
		f, at := &m.jobs[id], &m.flows[i]
		at.Links, at.Loads = at.Links[:0], nil
		for _, l := range f.links {
			at.Links = append(at.Links, m.local[l])
		}
		if len(f.loads) > 0 {
			at.Loads = f.loads
		}
		at.Demand, at.Weight, at.Level = f.demand, f.weight, f.level
	}
}

// count gives each gathered job its part by the number of jobs on its busiest link: with a transfer
// of b seconds per byte alone, k at once take k b + (k-1) eta each, alpha = eta/b (Wang et al., arXiv
// 2002.10105, equation 5).
func (m *Contended) count() {
	for i, id := range m.group {
		f := &m.jobs[id]
		k := 1
		for _, l := range f.links {
			k = max(k, len(m.onLink[l]))
		}
		m.rates[i] = min(float64(f.solo)/whole, 1/(float64(k)+float64(k-1)*m.cfg.Alpha))
	}
}

// LinkUse is the part of a link's capacity that jobs are given at present, 0..1. Background
// congestion is not counted: it has narrowed the link before.
func (m *Contended) LinkUse(link int32) float64 {
	m.settle()
	used := 0.0
	for _, id := range m.onLink[link] {
		f := &m.jobs[id]
		got := float64(f.share) / whole * f.demand
		if m.cfg.Phase {
			got = f.turn * f.demand
		}
		if len(f.loads) > 0 {
			got *= f.loads[slices.Index(f.links, link)]
		}
		used += got
	}
	return min(1, used/m.graph.Capacity[link])
}

// LinkUtil is the part of the links' capacity, all together, that jobs are given, 0..1.
func (m *Contended) LinkUtil() float64 {
	sum, all := 0.0, 0.0
	for l, wide := range m.graph.Capacity {
		sum += m.LinkUse(int32(l)) * wide
		all += wide
	}
	return sum / all
}
