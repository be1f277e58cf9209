package sim

import (
	"tarry/sim/law"
)

// Predictor gives the law of a job's run time before it ends. The run time meant is that on the
// GPUs which the job asks for, at full speed: work / width. A run is reproducible if a Predictor
// gives the same answers for the same calls.
type Predictor interface {
	// Predict is asked once for each job that the cluster can hold, at its arrival. j is valid
	// during the call; it lacks what is unknown then: Work, Iterations, IterS, State, GPUMiB and
	// GPUUtilFrac.
	Predict(id JobID, j *Job) law.Law
	// Ended reports a job that has done its work and how long it ran, in the order in which jobs
	// end; j is as in Predict.
	Ended(id JobID, j *Job, run Time)
	// Clone gives an independent predictor at the same point, for runs and snapshots.
	Clone() Predictor
}

// public gives the job as anyone may see it at its arrival.
func (e *Engine) public(id JobID) *Job {
	e.predictedJob = *e.job(id)
	e.predictedJob.hide()
	return &e.predictedJob
}

// hide clears what is unknown before a job ends.
func (j *Job) hide() {
	j.Work, j.Iterations, j.IterS, j.State = 0, 0, 0, ""
	j.GPUMiB, j.GPUUtilFrac, j.Record = 0, 0, nil
}

// foretell asks for the law of a job that arrives.
func (e *Engine) foretell(id JobID) {
	if e.predictor != nil {
		e.laws[id] = e.predictor.Predict(id, e.public(id))
	}
}

// learn reports a job that has ended.
func (e *Engine) learn(id JobID) {
	if e.predictor != nil {
		e.predictor.Ended(id, e.public(id), e.job(id).RunTime())
	}
}

// RunTime is the time that the job takes on the GPUs that it asks for at full speed: Work / Width,
// at least a microsecond.
func (j *Job) RunTime() Time { return max(1, Seconds(j.Work.Seconds()/j.Width())) }

// Law is what the run's predictor stated of a job at its arrival; ok is false without a predictor,
// and for a job that has not come or that the cluster can never hold.
func (e *Engine) Law(id JobID) (l law.Law, ok bool) {
	if s := e.of(id).state; e.predictor == nil || s == Pending || s == Refused {
		return law.Law{}, false
	}
	return e.laws[id], true
}
