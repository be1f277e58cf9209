package efficiency

import (
	"math"

	"tarry/sim"
	"tarry/sim/goodput"
	"tarry/sim/models"
)

// Model is a speed model with efficiency. It belongs to one run.
type Model struct {
	rule  *Rule
	inner sim.SpeedModel
	set   *models.Set
	other string
	kinds map[string]*kind
	drawn []numbers // by JobID, modulo their number; nil = nothing was drawn
	query sim.Query
}

// Speed implements sim.SpeedModel.
func (m *Model) Speed(q *sim.Query) (sim.Speed, error) {
	if len(q.GPUs) == 0 {
		return m.inner.Speed(q)
	}
	o := m.own(q.Job, q.ID)
	b := m.batch(q, &o)
	s, err := m.raw(q, b)
	if err == nil {
		s.Rate *= o.efficiency(b, q)
	}
	return s, err
}

// raw is the speed if every sample were worth 1.
func (m *Model) raw(q *sim.Query, b batch) (sim.Speed, error) {
	k := m.compute(b)
	s, err := m.inner.Speed(m.within(q, k))
	if b.local != 1 {
		s.Rate *= float64(b.steps*b.local) / k
	}
	return s, err
}

// within is what the model within is asked; the next call overwrites it.
func (m *Model) within(q *sim.Query, compute float64) *sim.Query {
	m.query = *q
	m.query.Batch, m.query.AccumSteps = compute, 0
	return &m.query
}

// efficiency is what a sample is worth.
func (o *own) efficiency(b batch, q *sim.Query) float64 {
	if scale := b.all / o.batch; o.matters(b) {
		return o.gradient(o.epoch(q.Done, q.Job.Work)).Efficiency(scale)
	}
	return 1
}

// matters reports whether a sample may be worth less than 1.
func (o *own) matters(b batch) bool { return b.all > o.batch && !math.IsInf(o.first, 1) }

// gradient is what is measured of it in an epoch.
func (o *own) gradient(epoch int32) goodput.Noise {
	n := o.noise(epoch)
	if math.IsInf(n, 1) {
		return goodput.Noise{Var: 1}
	}
	return goodput.Noise{Sqr: 1, Var: n}
}

// Mark is the end of the epoch, where the speed changes then.
func (m *Model) Mark(q *sim.Query) float64 {
	if len(q.GPUs) == 0 {
		return math.Inf(1)
	}
	o := m.own(q.Job, q.ID)
	e := o.epoch(q.Done, q.Job.Work) + 1
	if e >= o.epochs || o.first == o.last || !o.matters(m.batch(q, &o)) {
		return math.Inf(1)
	}
	return float64(e) * (float64(q.Job.Work) / float64(o.epochs))
}

// Telemetry is what a job measures of itself; false where the model within has no answer or the job stands still.
func (m *Model) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	if len(q.GPUs) == 0 {
		return false
	}
	o := m.own(q.Job, q.ID)
	b := m.batch(q, &o)
	s, err := m.raw(q, b)
	if err != nil || !(s.Rate > 0) {
		return false
	}
	share := 1.0
	if q.ShareMilli > 0 {
		share = float64(q.ShareMilli) / 1000
	}
	update := float64(len(q.GPUs)) * share * b.steps * b.local * o.stepS / s.Rate
	sync := update * (1 - s.ComputeFrac)
	e := o.epoch(q.Done, q.Job.Work)
	g := o.gradient(e)
	*t = sim.Telemetry{
		StepS: (update-sync)/b.steps + sync, SyncS: sync,
		LocalBatch: whole(b.each), AccumSteps: whole(b.steps), Batch: whole(b.all),
		GradSqr: g.Sqr, GradVar: g.Var, Epoch: e, Epochs: o.epochs,
		ItersLeft: (float64(q.Job.Work) - q.Done) / 1e6 / (o.stepS * float64(q.Job.GPUs)), Loss: math.NaN(),
	}
	return true
}

// Batches says how a job's batch may be chosen.
func (m *Model) Batches(j *sim.Job) sim.BatchLimits {
	o := m.own(j, sim.NoJob)
	return sim.BatchLimits{Initial: whole(o.batch), Max: whole(o.most), MinLocal: whole(o.least), MaxLocal: whole(o.fill)}
}

func whole(x float64) int32 { return int32(min(math.Round(x), math.MaxInt32)) }
