package speed

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/network"
)

// Links is the number of links that jobs may share.
func (m *Contended) Links() int { return len(m.onLink) }

// Paths is the number of paths between two racks; 0 = a tree.
func (m *Contended) Paths() int { return m.graph.Paths() }

// LinkJobs are the running jobs that cross a link, in no particular (but reproducible) order. They
// must not be kept or changed.
func (m *Contended) LinkJobs(link int32) []sim.JobID { return m.onLink[link] }

// Crosses appends the links that a job would cross on GPUs (ascending) with a set of paths.
func (m *Contended) Crosses(dst []int32, id sim.JobID, gpus []cluster.GPU, path uint64) []int32 {
	m.asked = m.cross(m.asked, id, gpus, path)
	return append(dst, m.asked.links...)
}

// Period is one iteration of a job that has its links to itself. What it exchanges within machines
// and cannot hide counts as computing.
func (m *Contended) Period(q *sim.Query) (network.Period, error) {
	id, err := m.c.model(q.Job)
	if err != nil || len(q.GPUs) == 0 {
		return network.Period{}, err
	}
	sp, busy, ns := m.alone(q, id, m.soloShare(m.placed(q.ID), q))
	return period(sp.ComputeFrac, busy, ns), nil
}
