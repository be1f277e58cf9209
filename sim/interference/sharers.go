package interference

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/stages"
)

// sharer is what laws see of a job. GPUs alone are not compared: laws may not read which they are.
type sharer struct {
	gpus []cluster.GPU
	// count is their number.
	count int32
	// share is the ticket in thousandths, 1..1000.
	share int32
	// util is the busy part of a GPU when alone, 0 = not known.
	util float64
	// name is what a naming law calls its model.
	name int32
	// priority is the owner's own.
	priority int32
	// instance is that of the GPU, 0 where it is not cut.
	instance uint8
	// compute and exchange are what a timing law asks for: seconds of an iteration on all GPUs, alone.
	compute, exchange float64
	// stage are the times of its stages, for the law stages.
	stage stages.Times
}

// compare orders sharers by all that laws read of them, so that a sum over them does not depend on who is who.
func compare(a, b sharer) int {
	if c := cmp.Compare(a.util, b.util); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.share, b.share), cmp.Compare(a.name, b.name), cmp.Compare(a.count, b.count), cmp.Compare(a.priority, b.priority),
		cmp.Compare(a.compute, b.compute), cmp.Compare(a.exchange, b.exchange), cmp.Compare(a.instance, b.instance), slices.Compare(a.stage[:], b.stage[:]))
}

// sharer is what laws see of a job, but for its times.
func (m *Model) sharer(j *sim.Job, gpus []cluster.GPU, k *sim.Knobs) sharer {
	s := sharer{gpus: gpus, count: int32(len(gpus)), share: k.ShareMilli, util: j.GPUUtilFrac, name: m.name(j.Model), priority: j.Priority, instance: k.Instance}
	if s.share <= 0 {
		s.share = 1000
	}
	if p := m.instance(gpus, k); p != nil {
		part := of(p)
		s.share = int32(max(1, min(1000, math.Round(float64(s.share)/part))))
		s.util = min(1, s.util/part)
	}
	return s
}

// gather fills m.all with the peers of a query, in their order.
func (m *Model) gather(q *sim.Query) {
	m.all = m.all[:0]
	for i := range q.Peers {
		p := &q.Peers[i]
		if p.Instance != q.Instance {
			continue // instances do not disturb one another
		}
		s := m.sharer(p.Job, p.GPUs, &p.Knobs)
		if m.timed {
			s.compute, s.exchange = m.timesOf(p)
			s.stage = m.staged(s.compute, s.exchange)
		}
		m.all = append(m.all, s)
	}
	if len(m.all) > 1 {
		slices.SortStableFunc(m.all, compare)
	}
}

// least is the least keep over a job's GPUs, with the peers in m.all.
func (m *Model) least(me *sharer) float64 {
	if m.everywhere(me.gpus) {
		return m.law.keep(me, m.all)
	}
	m.at = slices.Grow(m.at[:0], len(m.all))[:len(m.all)]
	clear(m.at)
	keep, before := 1.0, -1
	for _, g := range me.gpus {
		m.on = m.on[:0]
		changed := false
		for i := range m.all {
			p := &m.all[i]
			was := m.at[i] > 0 && before >= 0 && int(p.gpus[m.at[i]-1]) == before
			for int(m.at[i]) < len(p.gpus) && p.gpus[m.at[i]] <= g {
				m.at[i]++
			}
			is := m.at[i] > 0 && p.gpus[m.at[i]-1] == g
			changed = changed || is != was
			if is {
				m.on = append(m.on, *p)
			}
		}
		if changed || before < 0 {
			keep = min(keep, m.law.keep(me, m.on))
		}
		before = int(g)
	}
	return keep
}

// everywhere reports whether all peers are on all of these GPUs.
func (m *Model) everywhere(gpus []cluster.GPU) bool {
	for i := range m.all {
		if !slices.Equal(m.all[i].gpus, gpus) {
			return len(gpus) == 1 // what is a peer on one GPU is on it
		}
	}
	return true
}
