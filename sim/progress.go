package sim

import (
	"math"

	"tarry/sim/know"
)

// Progressive is a SpeedModel whose answers depend on how far a job is: training in epochs, batches
// that grow, gradients that get noisier. The engine asks its Speed again at each mark. Marks are
// silent: the policy is not asked at an instant at which there is nothing else. A model whose
// answers do not depend on progress may have the method Telemetry alone.
type Progressive interface {
	SpeedModel
	// Mark is the work done (> q.Done) at which the engine asks Speed again; +Inf = never. One at
	// or beyond the job's work is its end. At a mark q.Done is at least the value that Mark gave,
	// to the last bit, so that comparing with it states on which side a job is.
	Mark(q *Query) float64
	// Telemetry is what a job on this allocation measures of itself; false = not known. t comes
	// with ItersLeft and Loss not known.
	Telemetry(q *Query, t *Telemetry) bool
	// Batches states how a job's batch may be chosen; the zero value where not known.
	Batches(j *Job) BatchLimits
}

// Telemetry is what a training job measures of itself.
type Telemetry struct {
	// StepS is the time in seconds of one micro-step with its synchronisation, SyncS the part of it
	// that synchronises (exposed). An update takes StepS + (AccumSteps-1)*(StepS-SyncS).
	StepS, SyncS float64
	// LoadS, ComputeS and ExchangeS are how long a micro-step keeps storage and CPU, the GPU, and
	// the network busy, in seconds, while no other job is on the GPUs. They may overlap, and exceed
	// StepS together; all 0 = not known.
	LoadS, ComputeS, ExchangeS float64
	// LocalBatch is in samples per GPU and micro-step, AccumSteps in micro-steps per update (>= 1),
	// Batch in samples per update.
	LocalBatch, AccumSteps, Batch int32
	// GradSqr and GradVar are the squared norm and the variance of the gradient at the initial
	// batch, as Pollux (OSDI 2021, section 3.1) measures them, for Batch at the present epoch; both
	// 0 = not known.
	GradSqr, GradVar float64
	// Epoch is the number of epochs done, Epochs the number of all; 0 = not known. Epochs needs
	// know.Work, else it is 0.
	Epoch, Epochs int32
	// ItersLeft is the number of updates left to the end at the job's own batch: an oracle. It
	// needs know.Work, else it is NaN.
	ItersLeft float64
	// Loss is the training loss; NaN = not known.
	Loss float64
}

// BatchLimits are in samples: Initial is the batch for which the job's settings were made (M0), Max
// the most per update, MinLocal and MaxLocal the least and most per GPU and micro-step. 0 = not
// known.
type BatchLimits struct{ Initial, Max, MinLocal, MaxLocal int32 }

// AsProgressive gives the progressive side of a speed model, nil where it has none. A model that
// wraps another has a method Progressive() sim.Progressive, which gives nil where the inner one is
// not progressive.
func AsProgressive(m SpeedModel) Progressive {
	if w, ok := m.(interface{ Progressive() Progressive }); ok {
		return w.Progressive()
	}
	p, _ := m.(Progressive)
	return p
}

// meter is the part of a Progressive that models have which report the times of a step, and not how
// far a job is.
type meter interface {
	Telemetry(q *Query, t *Telemetry) bool
}

// meterOf gives what reports the telemetry of a model's jobs; nil where nothing does.
func meterOf(m SpeedModel) meter {
	if p := AsProgressive(m); p != nil {
		return p
	}
	known, _ := m.(meter)
	return known
}

// measure asks the model, and leaves out what the policy may not know. Copies are several gangs,
// which a single Telemetry does not describe.
func (v *View) measure(q *Query) (Telemetry, bool) {
	e := v.e
	e.telemetry = Telemetry{ItersLeft: math.NaN(), Loss: math.NaN()}
	if e.meter == nil || q.CopyFrac > 0 || !e.meter.Telemetry(q, &e.telemetry) {
		return Telemetry{}, false
	}
	if v.knows&know.Work == 0 {
		e.telemetry.Epochs, e.telemetry.ItersLeft = 0, math.NaN()
	}
	return e.telemetry, true
}
