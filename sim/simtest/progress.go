package simtest

import (
	"fmt"
	"math"

	"tarry/sim"
)

// InEpochs is a progressive speed model over another one: each job has three to five epochs of
// equal work, which differ in speed, and a batch that doubles from one to the next. Its telemetry
// follows from the speed.
type InEpochs struct{ Inner sim.SpeedModel }

// epochs is the number of epochs of a job.
func epochs(id sim.JobID) int { return 3 + max(0, int(id))%3 }

// epoch is the one in which a job is, and its factor.
func (m InEpochs) epoch(q *sim.Query) (k int, factor float64) {
	n := epochs(q.ID)
	for k = 1; k < n && q.Done >= m.end(q, k); k++ {
	}
	return k - 1, [...]float64{1, .5, 2, .75}[(k+max(0, int(q.ID)))%4]
}

// end is the work done after the first k epochs.
func (m InEpochs) end(q *sim.Query, k int) float64 {
	return float64(q.Job.Work) / float64(epochs(q.ID)) * float64(k)
}

// Speed implements sim.SpeedModel.
func (m InEpochs) Speed(q *sim.Query) (sim.Speed, error) {
	s, err := m.Inner.Speed(q)
	_, factor := m.epoch(q)
	s.Rate *= factor
	return s, err
}

// Mark implements sim.Progressive, as do Telemetry and Batches.
func (m InEpochs) Mark(q *sim.Query) float64 {
	if k, _ := m.epoch(q); k < epochs(q.ID)-1 {
		return m.end(q, k+1)
	}
	return math.Inf(1)
}

// Telemetry has steps of a second over the speed, a tenth of which synchronises.
func (m InEpochs) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	s, err := m.Speed(q)
	if err != nil || s.Rate == 0 {
		return false
	}
	k, _ := m.epoch(q)
	local := int32(8) << k
	t.StepS, t.SyncS = float64(len(q.GPUs))/s.Rate, float64(len(q.GPUs))/s.Rate/10
	t.LocalBatch, t.AccumSteps = local, max(1, q.AccumSteps)
	t.Batch = local * int32(len(q.GPUs)) * t.AccumSteps
	t.GradSqr, t.GradVar = 1/float64(1+k), 1
	t.Epoch, t.Epochs = int32(k), int32(epochs(q.ID))
	t.ItersLeft, t.Loss = (float64(q.Job.Work)-q.Done)/1e6, 1/float64(1+k)
	return true
}

// Batches has the batch of the first epoch on the job's own GPUs, and room for the last epoch's on
// more of them.
func (m InEpochs) Batches(j *sim.Job) sim.BatchLimits {
	return sim.BatchLimits{Initial: 8 * j.GPUs, Max: 1024 * j.GPUs, MinLocal: 1, MaxLocal: 128}
}

// coupledEpochs is InEpochs over a coupled model.
type coupledEpochs struct {
	InEpochs
	sim.Coupled
}

// Speed is InEpochs'.
func (m coupledEpochs) Speed(q *sim.Query) (sim.Speed, error) { return m.InEpochs.Speed(q) }

// Progressing gives a model in epochs, coupled where the one within is.
func Progressing(m sim.SpeedModel) sim.SpeedModel {
	if c, ok := m.(sim.Coupled); ok {
		return coupledEpochs{InEpochs{m}, c}
	}
	return InEpochs{m}
}

// progressed runs a policy on a case in which speeds depend on progress, every other time with ends
// and marks on a grid of quarters of a second.
func progressed(cfg sim.Config, make func() sim.Policy, o Options, seed uint64) error {
	cfg.Speed = Progressing(cfg.Speed)
	if seed%2 == 1 {
		cfg.MarkEvery = sim.Second / 4
	}
	first, e, err := tapeOf(cfg, make())
	if err == nil {
		err = alive(cfg, e, o.MayStarve)
	}
	if err == nil {
		if again, _, err := tapeOf(cfg, make()); err != nil || again != first {
			return fmt.Errorf("where speeds depend on progress the second run differs (error "+
				"%v)\nfirst:\n%s\nsecond:\n%s", err, first, again)
		}
	}
	if p, ok := make().(cloner); err == nil && ok {
		err = resume(cfg, p, first, false)
	}
	if err != nil {
		return fmt.Errorf("where speeds depend on progress, marks every %v: %w\n%s", cfg.MarkEvery, err, describe(cfg))
	}
	return nil
}
