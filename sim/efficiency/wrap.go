package efficiency

import (
	"math"

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
		return &coupledVaried{coupled{m, links}, differ}
	case isCoupled:
		return &coupled{m, links}
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
	links sim.Coupled
}

// Place implements sim.Coupled, as do the others.
func (m *coupled) Place(q *sim.Query) error            { return m.links.Place(m.asked(q)) }
func (m *coupled) Remove(id sim.JobID)                 { m.links.Remove(id) }
func (m *coupled) Touched(dst []sim.JobID) []sim.JobID { return m.links.Touched(dst) }
func (m *coupled) Reset()                              { m.links.Reset() }

// LinkUtil is that of the model within; NaN where it has none.
func (m *coupled) LinkUtil() float64 {
	if of, ok := m.links.(interface{ LinkUtil() float64 }); ok {
		return of.LinkUtil()
	}
	return math.NaN()
}

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
