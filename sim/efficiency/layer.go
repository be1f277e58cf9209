package efficiency

import (
	"math"

	"tarry/sim"
	"tarry/sim/goodput"
	"tarry/sim/models"
)

// Layer is the stack.Layer of efficiency, and a stack.Learner. It belongs to one run.
type Layer struct {
	rule  *Rule
	set   *models.Set
	other string
	kinds map[string]*kind
	drawn []numbers // by JobID, modulo their number; nil = nothing was drawn

	asked   own     // of the job that Ask was last about
	divided batch   // its batch
	compute float64 // how long that computes
}

// NewLayer makes the layer of a rule. set, which may be nil, has profiles: the samples of a GPU and
// how long they take; other names the profile of models that are not in it, "" = none.
func NewLayer(r *Rule, set *models.Set, other string) *Layer {
	return &Layer{rule: r, set: set, other: other, kinds: map[string]*kind{}}
}

// Ask sets the batch that takes as long to compute.
func (l *Layer) Ask(q *sim.Query) {
	l.asked = l.own(q.Job, q.ID)
	l.divided = l.batch(q, &l.asked)
	l.compute = l.times(l.divided)
	q.Batch, q.AccumSteps = l.compute, 0
}

// Answer multiplies the speed by the samples of the batch and by their efficiency. Telemetry has
// the times of a step.
func (l *Layer) Answer(q *sim.Query, s *sim.Speed) float64 {
	l.scale(s)
	s.Rate *= l.asked.efficiency(l.divided, q)
	return 1
}

// scale turns the speed below into the batch's speed at an efficiency of 1.
func (l *Layer) scale(s *sim.Speed) {
	if b := &l.divided; b.local != 1 {
		s.Rate *= float64(b.steps*b.local) / l.compute
	}
}

// efficiency is the progress of a sample.
func (o *own) efficiency(b batch, q *sim.Query) float64 {
	if scale := b.all / o.batch; o.matters(b) {
		return o.gradient(o.epoch(q.Done, q.Job.Work)).Efficiency(scale)
	}
	return 1
}

// matters reports whether a sample may count less than 1.
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
func (l *Layer) Mark(q *sim.Query) float64 {
	if len(q.GPUs) == 0 {
		return math.Inf(1)
	}
	o := l.own(q.Job, q.ID)
	e := o.epoch(q.Done, q.Job.Work) + 1
	if e >= o.epochs || o.first == o.last || !o.matters(l.batch(q, &o)) {
		return math.Inf(1)
	}
	return float64(e) * (float64(q.Job.Work) / float64(o.epochs))
}

// Telemetry is what a job measures of itself; false where it stands still.
func (l *Layer) Telemetry(q *sim.Query, s sim.Speed, t *sim.Telemetry) bool {
	o, b := &l.asked, &l.divided
	if l.scale(&s); !(s.Rate > 0) {
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

// Batches reports how a job's batch may be chosen.
func (l *Layer) Batches(j *sim.Job) sim.BatchLimits {
	o := l.own(j, sim.NoJob)
	return sim.BatchLimits{Initial: whole(o.batch), Max: whole(o.most), MinLocal: whole(o.least),
		MaxLocal: whole(o.fill)}
}

func whole(x float64) int32 { return int32(min(math.Round(x), math.MaxInt32)) }
