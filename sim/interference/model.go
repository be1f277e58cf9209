package interference

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
)

// Model is a speed model with interference. It belongs to one run.
type Model struct {
	rule  *Rule
	law   law
	inner sim.SpeedModel
	set   *models.Set
	top   *cluster.Topology
	named naming // nil = the law knows no names
	names map[string]int32
	timed bool
	query sim.Query     // of the model within, valid until the next
	told  sim.Telemetry // scratch of times
	me    sharer        // who is asked about
	all   []sharer      // peers of a query
	on    []sharer      // those on one GPU
	at    []int32       // of each peer: how many of its GPUs are passed
}

// leastKeep bounds what a law answers, so that no job stands still because of it.
const leastKeep = 1e-6

// Inner is the model without interference.
func (m *Model) Inner() sim.SpeedModel { return m.inner }

// Speed implements sim.SpeedModel.
func (m *Model) Speed(q *sim.Query) (sim.Speed, error) {
	s, err := m.inner.Speed(m.whole(q))
	if err != nil || len(q.GPUs) == 0 {
		return s, err
	}
	s.Rate *= m.keep(q, s)
	return s, nil
}

// whole is what the model within is asked: the job on whole GPUs, alone. The next call overwrites it.
func (m *Model) whole(q *sim.Query) *sim.Query {
	m.query = *q
	m.query.ShareMilli, m.query.Instance, m.query.Peers = 1000, 0, nil
	return &m.query
}

// keep is the part of the speed within that a job keeps.
func (m *Model) keep(q *sim.Query, s sim.Speed) float64 {
	m.me = m.sharer(q.Job, q.GPUs, &q.Knobs)
	if m.timed && len(q.Peers) > 0 {
		m.me.compute, m.me.exchange = m.times(m.whole(q), s)
		m.me.stage = m.staged(m.me.compute, m.me.exchange)
	}
	m.gather(q)
	keep := max(leastKeep, min(1, m.least(&m.me))) * m.inInstance(q.Job, q.GPUs, &q.Knobs)
	if need, has := q.Job.GPUMiB, q.GPUMiB; has > 0 && has < need {
		keep /= 1 + float64(m.rule.spill*(1-float64(has)/float64(need)))
	}
	return keep
}

// name is what a naming law calls a model: by its name, by that without a batch size, or by the catalogue's.
func (m *Model) name(model string) int32 {
	if m.named == nil {
		return -1
	}
	id, ok := m.names[model]
	if !ok {
		id = m.named.name(model)
		if p, err := m.lookup(model); err == nil && id < 0 {
			id = m.named.name(p.Name)
		}
		m.names[model] = id
	}
	return id
}
