package sim

import (
	"fmt"
	"math"

	"tarry/sim/cluster"
	"tarry/sim/tenant"
)

// View is what a policy sees at a decision: read-only but for the tentative free list. It is
// valid until Apply. Slices it gives must not be kept or changed.
type View struct {
	e     *Engine
	knows Knowledge
}

// Now is the present instant.
func (v *View) Now() Time { return v.e.now }

// Events lists what happened at this instant, in order.
func (v *View) Events() []Event { return v.e.batch }

// Topology is the cluster's tree.
func (v *View) Topology() *cluster.Topology { return v.e.top }

// Free is the free list. A policy may Take and Release on it to plan; the kernel undoes that.
func (v *View) Free() *cluster.Free { return v.e.free }

// NumJobs is the number of jobs of the workload, submitted or not: JobIDs are below it.
func (v *View) NumJobs() int { return v.e.total }

// Waiting and Draining count jobs; GPUs that drain become free by themselves.
func (v *View) Waiting() int { return v.e.waiting }

// Draining is the number of preempted jobs that still write their checkpoint.
func (v *View) Draining() int { return v.e.draining }

// Running lists the running jobs in no particular (but reproducible) order.
func (v *View) Running() []JobID { return v.e.running }

// Usable is the number of GPUs that are not down.
func (v *View) Usable() int { return v.e.top.GPUs() - v.e.downGPUs }

// State is where a job is in its life. After the instant at which it ended it is all that the view
// says of a job for certain.
func (v *View) State(j JobID) JobState { return v.e.of(j).state }

// Submit is a job's arrival.
func (v *View) Submit(j JobID) Time { return v.e.job(j).Submit }

// GPUs is the number of GPUs a job asks for. An elastic job that asks for more than the cluster has
// of its type, or can carry with its CPU and memory, asks for what there is, so a policy that gives
// each job what it asks for starts it.
func (v *View) GPUs(j JobID) int {
	job := v.e.job(j)
	if job.MinGPUs == 0 {
		return int(job.GPUs)
	}
	n := v.e.top.Carries(job.perGPU(), int(job.GPUs))
	if w := int(job.WorkerGPUs); w > 1 {
		n -= n % w
	}
	lo, _ := job.Range()
	return max(int(lo), n)
}

// Width is GPUs, a share counted as a part of one.
func (v *View) Width(j JobID) float64 {
	if job := v.e.job(j); job.MinGPUs == 0 || job.ShareMilli > 0 {
		return job.Width()
	}
	return float64(v.GPUs(j))
}

// Range is the number of GPUs that a job can use, lo to hi: multiples of WorkerGPUs.
func (v *View) Range(j JobID) (lo, hi int) {
	l, h := v.e.job(j).Range()
	return int(l), int(h)
}

// WorkerGPUs is the size of one worker, >= 1: a job's number of GPUs is a multiple of it.
func (v *View) WorkerGPUs(j JobID) int { return int(max(1, v.e.job(j).WorkerGPUs)) }

// Asks is the public part of a job: everything but its work, its ending and its ID's secrets. The
// Work, Iterations, IterS and State fields of the copy are zero, GPUType is as the cluster spells
// it, GPUMiB and GPUUtilFrac what View.GPUMiB and GPUUtilFrac give.
func (v *View) Asks(j JobID) Job {
	c := *v.e.job(j)
	c.hide()
	c.GPUType = v.e.top.Named(c.GPUType)
	c.GPUMiB, c.GPUUtilFrac = v.GPUMiB(j), v.GPUUtilFrac(j)
	return c
}

// Model, User, VC and GPUType are the job's, "" when unknown.
func (v *View) Model(j JobID) string { return v.e.job(j).Model }

// User is the job's owner, "" when unknown.
func (v *View) User(j JobID) string { return v.e.job(j).User }

// Fail states that the policy cannot decide, and why: the run ends with that error when the
// decisions of this instant are applied. A solver that gives up on a problem that must have a
// solution is such a case; a job without a place is none.
func (v *View) Fail(err error) {
	if v.e.err == nil {
		v.e.err = fmt.Errorf("at %v: the policy cannot decide: %w", v.e.now, err)
	}
}

// VC is the job's virtual cluster, "" when unknown.
func (v *View) VC(j JobID) string { return v.e.job(j).VC }

// Tenants says who owns which part of the cluster, nil where the run says nothing; it stays the
// same during a run.
func (v *View) Tenants() *tenant.Set { return v.e.cfg.Tenants }

// Group is the group of the job's owner, "" when unknown.
func (v *View) Group(j JobID) string { return v.e.job(j).Group }

// Request is the run time that the job's user asked for, 0 when unknown.
func (v *View) Request(j JobID) Time { return v.e.job(j).Request }

// Deadline is when the job should be done, a time like Now, which may have passed; Never where it
// has none, so that deadlines compare.
func (v *View) Deadline(j JobID) Time {
	if d := v.e.job(j).Deadline; d > 0 {
		return d
	}
	return Never
}

// GPUType is the type the job insists on, as the cluster spells it; "" for any.
func (v *View) GPUType(j JobID) string { return v.e.top.Named(v.e.job(j).GPUType) }

// ShareMilli is the part of each GPU that the job asks for, in thousandths; 0 = the whole.
func (v *View) ShareMilli(j JobID) int32 { return v.e.job(j).ShareMilli }

// Held is the job's present allocation, ascending; empty when it holds none.
func (v *View) Held(j JobID) []cluster.GPU { return v.e.of(j).gpus }

// Level is the level of the present (or last) allocation.
func (v *View) Level(j JobID) cluster.Level { return v.e.of(j).level }

// Owner is the first job on a GPU, or NoJob.
func (v *View) Owner(g cluster.GPU) JobID { return v.e.owner[g] }

// Share is what is in use of a GPU, in thousandths.
func (v *View) Share(g cluster.GPU) int { return int(v.e.used[g]) }

// Up reports whether a GPU may be given out once it is unused: it has not failed, and its machine
// is not cordoned.
func (v *View) Up(g cluster.GPU) bool { return v.e.down[g] == 0 }

// Since is when the job began to wait, or got its present GPUs.
func (v *View) Since(j JobID) Time { return v.e.of(j).since }

// Started is the first grant; Never before it.
func (v *View) Started(j JobID) Time { return v.e.of(j).start }

// LeaseEnd is the end of the present lease; Never when there is none.
func (v *View) LeaseEnd(j JobID) Time { return v.e.of(j).leaseEnd }

// Expired reports whether the job runs on after the end of its lease.
func (v *View) Expired(j JobID) bool { return v.e.of(j).expired }

// Preemptions counts the job's preemptions so far.
func (v *View) Preemptions(j JobID) int { return int(v.e.of(j).preemptions) }

// RunTime is the time the job has run, pauses not counted.
func (v *View) RunTime(j JobID) Time {
	r := v.e.of(j)
	if r.state == Running && v.e.now > r.settled {
		return r.run + v.e.now - r.settled
	}
	return r.run
}

// Service is attained service, GPUs x running time, in GPU-microseconds.
func (v *View) Service(j JobID) Time {
	r := v.e.of(j)
	if r.state == Running && v.e.now > r.settled {
		return r.service + (v.e.now-r.settled)*Time(len(r.gpus))
	}
	return r.service
}

// Speed is the present speed of a running job: anyone may observe that.
func (v *View) Speed(j JobID) Speed {
	r := v.e.of(j)
	return Speed{Rate: r.rate, ComputeFrac: r.frac}
}

// Coupled reports whether the speed of a job depends on who else runs; else it is constant while a
// job has GPUs of its own.
func (v *View) Coupled() bool { return v.e.coup != nil }

// Work is the job's whole work, in microseconds of one reference GPU. It needs KnowWork; else NaN.
func (v *View) Work(j JobID) float64 {
	if v.knows&KnowWork == 0 {
		return math.NaN()
	}
	return float64(v.e.job(j).Work)
}

// Iterations is the number of training iterations in Work, 0 when unknown. It needs KnowWork; else 0.
func (v *View) Iterations(j JobID) int64 {
	if v.knows&KnowWork == 0 {
		return 0
	}
	return v.e.job(j).Iterations
}

// IterS is the time of one iteration on one GPU in seconds, 0 when unknown: what progress is
// counted in, and nothing of how many iterations there are. It needs KnowDone, KnowWork or
// KnowProgress; else 0.
func (v *View) IterS(j JobID) float64 {
	job := v.e.job(j)
	switch {
	case v.knows&(KnowDone|KnowWork|KnowProgress) == 0 || job.Iterations == 0:
		return 0
	case job.IterS > 0:
		return job.IterS
	}
	return job.Work.Seconds() / float64(job.Iterations)
}

// Left is the work left, in microseconds of one reference GPU. It needs KnowWork; else NaN.
func (v *View) Left(j JobID) float64 {
	if v.knows&KnowWork == 0 {
		return math.NaN()
	}
	return v.left(j)
}

// Done is the work done so far and not lost by a fault, in microseconds of one reference GPU. It
// needs KnowDone, KnowWork or KnowProgress; else NaN. It is kept as the work less what is left: its
// last bits, some parts in 1e16 of the work, are rounding.
func (v *View) Done(j JobID) float64 {
	if v.knows&(KnowDone|KnowWork|KnowProgress) == 0 {
		return math.NaN()
	}
	return max(v.e.of(j).passed, float64(v.e.job(j).Work)-v.left(j))
}

// left is Left without a look at what is permitted.
func (v *View) left(j JobID) float64 {
	r := v.e.of(j)
	if r.state == Running && v.e.now > r.settled {
		return v.e.leftNow(r)
	}
	if s := v.e.at[j]; s < rows && s != rowDone { // they share a record
		return float64(v.e.job(j).Work)
	}
	return r.left
}

// Estimate is the estimated whole work, with a predictor the predicted median run time's. It
// needs KnowEstimate; else NaN.
func (v *View) Estimate(j JobID) float64 {
	switch {
	case v.knows&KnowEstimate == 0:
		return math.NaN()
	case v.e.pred != nil:
		return v.median(j)
	case v.e.cfg.Estimate == nil:
		return float64(v.e.job(j).Work)
	}
	return float64(v.e.cfg.Estimate(j))
}

// History is a sample of the work of earlier jobs, ascending. It needs KnowHistory; else nil.
func (v *View) History() []Time {
	if v.knows&KnowHistory == 0 {
		return nil
	}
	return v.e.cfg.History
}

// Variability says how GPUs of one type differ, nil where they do not; it stays the same during a
// run. It needs KnowSpeed; else nil.
func (v *View) Variability() Variability {
	if v.knows&KnowSpeed == 0 {
		return nil
	}
	differ, _ := v.e.cfg.Speed.(Variability)
	return differ
}

// Fits reports whether the job may be granted these GPUs now: all up, not in use (by its share), of
// its type, with the CPU and memory it asks for. Memory of GPUs is not looked at: running out of it
// is no fault of a decision. GPUs that the plan has released do not count as free here.
func (v *View) Fits(j JobID, gpus []cluster.GPU) bool {
	job := v.e.job(j)
	r := run{share: 1000, cpu: job.CPUMilli, mem: job.MemMiB}
	if job.ShareMilli > 0 {
		r.share = job.ShareMilli
	}
	return v.e.check(&Decision{Job: j, GPUs: gpus}, &r, nil) == nil
}

// HostUsed is what the jobs on a machine use of its CPU (in thousandths of a core) and memory.
func (v *View) HostUsed(machine int) (cpuMilli, memMiB int64) {
	return v.e.cpuUsed[machine], v.e.memUsed[machine]
}

// CheckpointTime is how long the GPUs of a running job stay busy if it is preempted now.
func (v *View) CheckpointTime(j JobID) Time {
	r := v.e.of(j)
	if v.RunTime(j) == r.run0 {
		return 0
	}
	c, _ := v.e.cost(v.e.cfg.Costs.Checkpoint, Preempt, r, r.gpus, nil) // a wrong cost is an error of the Preempt
	return c
}
