package typespeed

import "tarry/sim"

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

// Telemetry is that of the model within, where it knows one.
func (m *Model) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	inner, ok := m.inner.(interface {
		Telemetry(*sim.Query, *sim.Telemetry) bool
	})
	return ok && inner.Telemetry(m.clocked(q), t)
}

// Mark implements sim.Progressive, as do the others.
func (m *progressive) Mark(q *sim.Query) float64 { return m.inner.Mark(m.clocked(q)) }
func (m *progressive) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	return m.inner.Telemetry(m.clocked(q), t)
}
func (m *progressive) Batches(j *sim.Job) sim.BatchLimits { return m.inner.Batches(j) }
