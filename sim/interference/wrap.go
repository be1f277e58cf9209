package interference

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
)

// Wrap puts a rule over a speed model; nil is the model itself. set, which may be nil, has the names that models are also known by. The result is sim.Coupled and
// sim.Variability where the model is; it has a progressive side where the model has one. Jobs in instances of GPUs need WrapOn.
func Wrap(inner sim.SpeedModel, r *Rule, set *models.Set) sim.SpeedModel {
	return WrapOn(inner, r, set, nil)
}

// WrapOn is Wrap on a cluster whose GPUs may be cut into instances.
func WrapOn(inner sim.SpeedModel, r *Rule, set *models.Set, top *cluster.Topology) sim.SpeedModel {
	if r == nil {
		return inner
	}
	if _, own := r.law.(*instances); own {
		top = nil // the law knows instances itself
	}
	m := &Model{rule: r, law: r.law, inner: inner, set: set, top: top, names: map[string]int32{}}
	m.named, _ = r.law.(naming)
	_, m.timed = r.law.(timing)
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

// lookup finds a model's profile.
func (m *Model) lookup(model string) (*models.Profile, error) {
	if m.set == nil {
		return models.Lookup(model)
	}
	return m.set.Lookup(model)
}

// coupled is Model over jobs that share links.
type coupled struct {
	*Model
	sim.Linked
}

// Place asks the links about the job as the model within is asked.
func (m *coupled) Place(q *sim.Query) error { return m.Linked.Place(m.whole(q)) }

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

// within gives the meter of the model within, nil where it has none.
func (m *Model) within() meter {
	if p := sim.AsProgressive(m.inner); p != nil {
		return p
	}
	of, _ := m.inner.(meter)
	return of
}

// Telemetry is that of the model within, where it knows one, with times as long as others make them.
func (m *Model) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	of := m.within()
	return of != nil && m.measure(of, q, t)
}

func (m *Model) measure(of meter, q *sim.Query, t *sim.Telemetry) bool {
	if !of.Telemetry(m.whole(q), t) {
		return false
	}
	if len(q.GPUs) > 0 {
		s, err := m.inner.Speed(m.whole(q))
		if err != nil {
			return false
		}
		keep := m.keep(q, s)
		t.StepS /= keep
		t.SyncS /= keep
	}
	return true
}

// Mark implements sim.Progressive, as do the others.
func (m *progressive) Mark(q *sim.Query) float64 { return m.inner.Mark(m.whole(q)) }

// Telemetry has times as long as others make them.
func (m *progressive) Telemetry(q *sim.Query, t *sim.Telemetry) bool { return m.measure(m.inner, q, t) }

// Batches are those of the model within.
func (m *progressive) Batches(j *sim.Job) sim.BatchLimits { return m.inner.Batches(j) }
