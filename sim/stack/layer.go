package stack

import "tarry/sim"

// Layer corrects what the model below it answers. It belongs to one run. It may be an Asker, a
// Learner, a Clock, an Inquirer and a sim.Variability beside; that is looked at once, in New.
type Layer interface {
	// Answer turns s, the answer of the model below, into the layer's answer to q. It is not
	// called for a job without GPUs nor after an error, and must not keep q. The result is the
	// part of the speed below that the job keeps, > 0: the times of a step in the job's telemetry
	// are divided by it, unless the layer is a Learner. 1 leaves them.
	Answer(q *sim.Query, s *sim.Speed) (keep float64)
}

// Asker is a Layer that asks the model below another question than it is asked.
type Asker interface {
	// Ask turns q, a copy of the layer's question, into the question of the model below. A Speed is
	// an Ask and then an Answer for the same job; the layer is asked nothing in between.
	Ask(q *sim.Query)
}

// Learner is a Layer whose answers depend on how far a job is.
type Learner interface {
	// Mark is as sim.Progressive has it.
	Mark(q *sim.Query) float64
	// Telemetry is what a job measures of itself, where the model below gives the speed s; false =
	// not known. It comes between Ask and Answer of the same question.
	Telemetry(q *sim.Query, s sim.Speed, t *sim.Telemetry) bool
	// Batches is as sim.Progressive has it.
	Batches(j *sim.Job) sim.BatchLimits
}

// Clock is a Layer whose answers depend on the time.
type Clock interface {
	// Until is the time at which the layer's answer to q may change next, > q.Now; sim.Never = it
	// stays. The job's speed is asked for again then: the stack gives it a mark there, by its
	// speed until that time. A job that stands still has none.
	Until(q *sim.Query) sim.Time
}

// Inquirer is a Layer that has questions of its own, such as about a job's peers.
type Inquirer interface {
	// Over hands it the model below, once, before all else.
	Over(below sim.SpeedModel)
}
