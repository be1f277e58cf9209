package sim

import (
	"math"

	"tarry/sim/cluster"
	"tarry/sim/know"
)

// RunInfo is what a policy sees of the life of a job in this run: its state, the GPUs that it
// holds, how long it has run, and of its progress what the policy's permissions (sim/know) open. It
// is a value, valid as long as the View that gave it, and shows the job as it is when a method is
// called.
type RunInfo struct {
	v  *View
	id JobID
}

// Run gives the life of a job so far; JobInfo has what was submitted.
func (v *View) Run(j JobID) RunInfo { return RunInfo{v, j} }

// run is the kernel's record of the job.
func (i RunInfo) run() *run { return i.v.e.of(i.id) }

// State is where the job is in its life. After the instant at which it ended it is all that the
// view reports of a job for certain.
func (i RunInfo) State() JobState { return i.run().state }

// Held is the job's present allocation, ascending; empty when it holds none. It must not be kept or
// changed.
func (i RunInfo) Held() []cluster.GPU { return i.run().gpus }

// Level is the level of the present (or last) allocation.
func (i RunInfo) Level() cluster.Level { return i.run().level }

// Knobs returns the knobs of the present allocation; as for a Start that sets none where the job
// holds no GPUs.
func (i RunInfo) Knobs() Knobs {
	r := i.run()
	if len(r.gpus) == 0 {
		job := i.v.Job(i.id)
		k := job.job().knobs()
		k.GPUMiB = job.GPUMiB()
		return k
	}
	return i.v.e.knobs(r)
}

// Since is when the job began to wait, or got its present GPUs.
func (i RunInfo) Since() Time { return i.run().since }

// Started is the first grant; Never before it.
func (i RunInfo) Started() Time { return i.run().start }

// LeaseEnd is the end of the present lease; Never when there is none.
func (i RunInfo) LeaseEnd() Time { return i.run().leaseEnd }

// Expired reports whether the job runs on after the end of its lease.
func (i RunInfo) Expired() bool { return i.run().expired }

// Preemptions counts the job's preemptions so far.
func (i RunInfo) Preemptions() int { return int(i.run().preemptions) }

// Time is the time for which the job has run, pauses not counted.
func (i RunInfo) Time() Time {
	r := i.run()
	if r.state == Running && i.v.e.now > r.settled {
		return r.run + i.v.e.now - r.settled
	}
	return r.run
}

// Service is attained service, GPUs x running time, in GPU-microseconds.
func (i RunInfo) Service() Time {
	r := i.run()
	if r.state == Running && i.v.e.now > r.settled {
		return r.service + (i.v.e.now-r.settled)*Time(len(r.gpus))
	}
	return r.service
}

// Speed is the present speed of a running job, which any cluster observes.
func (i RunInfo) Speed() Speed {
	r := i.run()
	return Speed{Rate: r.rate, ComputeFrac: r.frac}
}

// CheckpointTime is how long the GPUs of a running job stay busy if it is preempted now: 0 where
// preemptions kill.
func (i RunInfo) CheckpointTime() Time {
	r, e := i.run(), i.v.e
	if e.cfg.Costs.Kill || i.Time() == r.run0 {
		return 0
	}
	c, _ := e.cost(e.cfg.Costs.Checkpoint, Preempt, r, r.gpus, nil) // a wrong cost is an error of the Preempt
	return c
}

// Unsaved is the running time of a running job since its last checkpoint: what a fault undoes, and a
// preemption where it kills (Costs.Kill). 0 for other jobs.
func (i RunInfo) Unsaved() Time {
	r, e := i.run(), i.v.e
	if r.state != Running {
		return 0
	}
	if e.every > 0 && e.now > r.settled {
		if c := r.ckpt0 + (e.now-r.ckpt0)/e.every*e.every; c > r.settled {
			return e.now - c
		}
	}
	return i.Time() - r.savedRun
}

// NextCheckpoint is the instant of the next periodic checkpoint of a running job; Never for other
// jobs and where there are none (Costs.CheckpointEveryS).
func (i RunInfo) NextCheckpoint() Time {
	r, e := i.run(), i.v.e
	if r.state != Running || e.every == 0 {
		return Never
	}
	return r.ckpt0.add(((max(e.now, r.settled)-r.ckpt0)/e.every + 1) * e.every)
}

// Done is the work done so far and not lost by a fault or kill, in microseconds of one reference GPU. It
// needs know.Done, know.Work or know.Progress; else NaN. It is kept as the work less what is left:
// its last bits, some parts in 1e16 of the work, are rounding.
func (i RunInfo) Done() float64 {
	if i.v.knows&(know.Done|know.Work|know.Progress) == 0 {
		return math.NaN()
	}
	return max(i.run().passed, float64(i.v.e.job(i.id).Work)-i.left())
}

// Ran is the job's progress as a run time on the GPUs for which it asks, at full speed, in seconds:
// the work done over width. It needs know.Done, know.Work or know.Progress; else NaN.
func (i RunInfo) Ran() float64 { return i.Done() / 1e6 / i.v.e.job(i.id).Width() }

// Left is the work left, in microseconds of one reference GPU. It needs know.Work; else NaN.
func (i RunInfo) Left() float64 {
	if i.v.knows&know.Work == 0 {
		return math.NaN()
	}
	return i.left()
}

// left is Left without a look at what is permitted.
func (i RunInfo) left() float64 {
	e, r := i.v.e, i.run()
	if r.state == Running && e.now > r.settled {
		return e.leftNow(r)
	}
	if s := e.at[i.id]; s < rows && s != rowDone { // they share a record
		return float64(e.job(i.id).Work)
	}
	return r.left
}

// NextMark is the work done, in microseconds of one reference GPU, at which the speed of a running
// job is asked for again; a Watch of Progress for it, rounded up, crosses at the mark. It is +Inf
// where there is no such mark, and for a mark that is the job's end without know.Work. It needs
// know.Progress, else it is NaN; so it is for a job that does not run.
func (i RunInfo) NextMark() float64 {
	r := i.run()
	switch {
	case i.v.knows&know.Progress == 0 || r.state != Running:
		return math.NaN()
	case i.v.e.progressive == nil || i.v.knows&know.Work == 0 && r.goal == 0:
		return math.Inf(1)
	}
	return r.mark
}

// Telemetry is what a running job measures of itself; View.TelemetryAt has what it would measure
// elsewhere. ok is false for other jobs, without know.Progress, and where the model has no answer.
func (i RunInfo) Telemetry() (t Telemetry, ok bool) {
	r := i.run()
	if i.v.knows&know.Progress == 0 || r.state != Running {
		return Telemetry{}, false
	}
	return i.v.measure(i.v.e.query(i.id, r, r.gpus))
}
