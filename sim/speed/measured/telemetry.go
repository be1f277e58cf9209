package measured

import "tarry/sim"

// Telemetry has the times of a step: the inverse of its throughput, and the part of it that is not
// computing. Batches are not known.
func (m *Model) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	id, err := m.named.Of(q.Job.Model, q.Job.ID)
	if err != nil {
		return false
	}
	step, err := m.step(id, q.Job)
	return err == nil && telemetry(m.Speed, step, q, t)
}

// Telemetry is as Model's.
func (m *ScalingModel) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	id, err := m.named.Of(q.Job.Model, q.Job.ID)
	if err != nil {
		return false
	}
	step, err := m.step(id, q.Job)
	return err == nil && telemetry(m.Speed, step, q, t)
}

// telemetry follows from a speed; an iteration of the job's own batch is step seconds of work.
func telemetry(speed func(*sim.Query) (sim.Speed, error), step float64, q *sim.Query, t *sim.Telemetry) bool {
	s, err := speed(q)
	if err != nil || !(s.Rate > 0) {
		return false
	}
	if q.Batch > 0 {
		step *= q.Batch
	}
	t.StepS = step / s.Rate
	t.SyncS = float64(t.StepS * (1 - s.ComputeFrac))
	t.AccumSteps = 1
	return true
}
