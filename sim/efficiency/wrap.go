package efficiency

import (
	"tarry/sim"
	"tarry/sim/models"
)

// Wrap puts a rule over a speed model. set, which may be nil, has profiles: the samples of a GPU and how long they take; other names the profile of models that are not
// in it, "" = none. The result is sim.Progressive, and sim.Coupled and sim.Variability where the model is.
func Wrap(inner sim.SpeedModel, r *Rule, set *models.Set, other string) sim.SpeedModel {
	m := &Model{rule: r, inner: inner, set: set, other: other, kinds: map[string]*kind{}}
	links, isCoupled := inner.(sim.Coupled)
	differ, differs := inner.(sim.Variability)
	switch {
	case isCoupled && differs:
		return &coupledVaried{coupled{m, sim.Linked{Links: links}}, differ}
	case isCoupled:
		return &coupled{m, sim.Linked{Links: links}}
	case differs:
		return &varied{m, differ}
	}
	return m
}

// Inner is the model without efficiency.
func (m *Model) Inner() sim.SpeedModel { return m.inner }

// asked is what the model within is asked of a job.
func (m *Model) asked(q *sim.Query) *sim.Query {
	if len(q.GPUs) == 0 {
		return q
	}
	o := m.own(q.Job, q.ID)
	return m.within(q, m.compute(m.batch(q, &o)))
}

// coupled is Model over jobs that share links.
type coupled struct {
	*Model
	sim.Linked
}

// Place asks the links about the job as the model within is asked.
func (m *coupled) Place(q *sim.Query) error { return m.Linked.Place(m.asked(q)) }

// varied is Model over GPUs that differ.
type varied struct {
	*Model
	sim.Variability
}

// coupledVaried is Model over both.
type coupledVaried struct {
	coupled
	sim.Variability
}
