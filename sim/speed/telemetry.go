package speed

import (
	"math"

	"tarry/sim"
)

// Telemetry has the times of an iteration and its batch: what the profile states of the job's
// model, under the common rule. A model without a profile has none.
func (c *Collective) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	return c.telemetry(c.Speed, q, t)
}

// Telemetry is as Collective's, with the links as they are shared now.
func (m *Contended) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	return m.c.telemetry(m.Speed, q, t)
}

// telemetry follows from the speed, in which an iteration on each GPU is one of the profile.
func (c *Collective) telemetry(speed func(*sim.Query) (sim.Speed, error), q *sim.Query, t *sim.Telemetry) bool {
	if len(q.GPUs) == 0 {
		return false
	}
	id, err := c.model(q.Job)
	if err != nil {
		return false
	}
	s, err := speed(q)
	if err != nil || !(s.Rate > 0) {
		return false
	}
	batch, compute := q.Batch, c.iteration(costKey{id, whole, layoutOf(c.topo, q.GPUs)}).ComputeNS
	if !(batch > 0) {
		batch = 1
	}
	t.StepS = float64(compute*batch) / 1e9 * float64(len(q.GPUs)) / s.Rate
	t.SyncS = float64(t.StepS * (1 - s.ComputeFrac))
	t.AccumSteps = 1
	t.LocalBatch = int32(min(math.MaxInt32, math.Round(float64(float64(c.batches[id])*batch))))
	t.Batch = int32(min(math.MaxInt32, float64(t.LocalBatch)*float64(len(q.GPUs))))
	return true
}
