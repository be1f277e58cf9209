package hosts

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
)

// Wrap puts a rule over a speed model; nil is the model itself. set, which may be nil, has the names that models are also known by; other names the profile of models that are not in it, "" =
// none. The result is sim.Coupled and sim.Variability where the model is; it has a progressive side where the model has one.
func Wrap(inner sim.SpeedModel, r *Rule, top *cluster.Topology, set *models.Set, other string) sim.SpeedModel {
	if r == nil {
		return inner
	}
	m := &Model{law: r.law, socket: r.socket, inner: inner, top: top, set: set, other: other, names: map[string]int32{}}
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

// coupled is Model over jobs that share links.
type coupled struct {
	*Model
	sim.Linked
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

// progressive is the progressive side of a Model whose inner one has one.
type progressive struct {
	*Model
	inner sim.Progressive
}

// Progressive is that of the model within, nil where it has none; sim.AsProgressive asks for it.
func (m *Model) Progressive() sim.Progressive {
	if p := sim.AsProgressive(m.inner); p != nil {
		return &progressive{m, p}
	}
	return nil
}

// meter is what a model has that knows the times of a step.
type meter interface {
	Telemetry(*sim.Query, *sim.Telemetry) bool
}

// Telemetry is that of the model within, where it knows one, with times as long as hosts make them.
func (m *Model) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	if p := sim.AsProgressive(m.inner); p != nil {
		return m.measure(p, q, t)
	}
	of, ok := m.inner.(meter)
	return ok && m.measure(of, q, t)
}

// measure stretches the times of a step, so that those of an update are those of the rate.
func (m *Model) measure(of meter, q *sim.Query, t *sim.Telemetry) bool {
	if !of.Telemetry(q, t) {
		return false
	}
	if len(q.GPUs) > 0 {
		s, err := m.inner.Speed(q)
		if err != nil {
			return false
		}
		if s.Rate > 0 {
			keep := m.keep(q, s.Rate)
			t.StepS /= keep
			t.SyncS /= keep
		}
	}
	return true
}

// Mark implements sim.Progressive, as do the others.
func (m *progressive) Mark(q *sim.Query) float64 { return m.inner.Mark(q) }

// Telemetry has times as long as hosts make them.
func (m *progressive) Telemetry(q *sim.Query, t *sim.Telemetry) bool { return m.measure(m.inner, q, t) }

// Batches are those of the model within.
func (m *progressive) Batches(j *sim.Job) sim.BatchLimits { return m.inner.Batches(j) }
