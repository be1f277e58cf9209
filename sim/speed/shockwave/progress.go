package shockwave

import (
	"math"

	"tarry/sim"
)

// Mark implements sim.Progressive: the end of the epoch before the next that has another batch
// size.
func (m *Model) Mark(q *sim.Query) float64 {
	s := m.profile.Job(q.Job.ID)
	if s == nil || m.opt.Fixed || len(s.First) == 1 {
		return math.Inf(1)
	}
	unit := m.unit(s, q.Job)
	for _, first := range s.First {
		if at := float64(first) * unit; at > q.Done {
			return at
		}
	}
	return math.Inf(1)
}

// unit is the work of an epoch of a job with a schedule, in microseconds of one reference GPU; 0 =
// not known.
func (m *Model) unit(s *Schedule, j *sim.Job) float64 {
	w := work{parts: m.split(j.Model)}
	if w.batch == 0 {
		return 0
	}
	step, err := m.step(&w, j)
	if err != nil {
		return 0
	}
	return float64(float64(s.Steps(w.batch)*step) * 1e6)
}

// Telemetry implements sim.Progressive. Its samples per GPU are rounded up.
func (m *Model) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	w, err := m.of(q)
	if err != nil {
		return false
	}
	batch := w.batch
	if q.Batch > 0 {
		batch = int32(math.Round(float64(float64(batch) * q.Batch)))
	}
	n := int32(len(q.GPUs))
	perS, _ := m.profile.PerS(w.model, batch, int(n))
	if perS == 0 || n == 0 {
		return false
	}
	t.StepS, t.AccumSteps, t.Batch, t.LocalBatch = 1/perS, 1, batch, (batch+n-1)/n
	if one, _ := m.profile.PerS(w.model, batch, 1); one > 0 {
		t.SyncS = max(0, t.StepS-1/float64(one*float64(n)))
	}
	if q.Job.Iterations > 0 {
		t.ItersLeft = max(0, float64(q.Job.Iterations)-q.Done/float64(q.Job.Work)*float64(q.Job.Iterations))
	}
	if w.schedule != nil {
		t.Epoch, t.Epochs = int32(min(w.epoch, math.MaxInt32)), int32(min(w.schedule.Epochs, math.MaxInt32))
	}
	return true
}

// Batches implements sim.Progressive.
func (m *Model) Batches(j *sim.Job) sim.BatchLimits {
	w := m.split(j.Model)
	most := w.batch
	if s := m.profile.Job(j.ID); s != nil {
		most = s.Most()
	}
	return sim.BatchLimits{Initial: w.batch, Max: most}
}
