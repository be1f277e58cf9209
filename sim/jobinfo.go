package sim

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/law"
)

// JobInfo is what a policy sees of a job as it was submitted: its demand, its owner, and of its
// work what the policy's permissions (sim/know) open. It is a value, valid as long as the View that
// gave it.
type JobInfo struct {
	v  *View
	id JobID
}

// Job gives a job as it was submitted; RunInfo has its state, GPUs and progress.
func (v *View) Job(j JobID) JobInfo { return JobInfo{v, j} }

// job is the job as the trace gives it.
func (i JobInfo) job() *Job { return i.v.e.job(i.id) }

// Submit is the job's arrival.
func (i JobInfo) Submit() Time { return i.job().Submit }

// GPUs is the number of GPUs that the job asks for. An elastic job that asks for more than the
// cluster has of its type, or can carry with its CPU and memory, asks for what there is, so a
// policy that gives each job what it asks for starts it.
func (i JobInfo) GPUs() int {
	job := i.job()
	if job.MinGPUs == 0 {
		return int(job.GPUs)
	}
	n := i.v.e.top.Carries(job.perGPU(), int(job.GPUs))
	if w := int(job.WorkerGPUs); w > 1 {
		n -= n % w
	}
	lo, _ := job.Range()
	return max(int(lo), n)
}

// Width is GPUs, a share counted as a part of one.
func (i JobInfo) Width() float64 {
	if job := i.job(); job.MinGPUs == 0 || job.ShareMilli > 0 {
		return job.Width()
	}
	return float64(i.GPUs())
}

// Range is the number of GPUs that the job can use, lo to hi: multiples of WorkerGPUs.
func (i JobInfo) Range() (lo, hi int) {
	l, h := i.job().Range()
	return int(l), int(h)
}

// WorkerGPUs is the size of one worker, >= 1: the job's number of GPUs is a multiple of it.
func (i JobInfo) WorkerGPUs() int { return int(max(1, i.job().WorkerGPUs)) }

// ShareMilli is the part of each GPU that the job asks for, in thousandths; 0 = the whole.
func (i JobInfo) ShareMilli() int32 { return i.job().ShareMilli }

// GPUType is the type that the job insists on, as the cluster spells it; "" for any.
func (i JobInfo) GPUType() string { return i.v.e.top.Named(i.job().GPUType) }

// PerGPU is what the job asks along with each of its GPUs, the type as the cluster spells it.
func (i JobInfo) PerGPU() cluster.PerGPU {
	p := i.job().perGPU()
	p.Type = i.v.e.top.Named(p.Type)
	return p
}

// Model is the name of the job's model, "" when unknown.
func (i JobInfo) Model() string { return i.job().Model }

// User is the job's owner, "" when unknown.
func (i JobInfo) User() string { return i.job().User }

// VC is the job's virtual cluster, "" when unknown.
func (i JobInfo) VC() string { return i.job().VC }

// Group is the group of the job's owner, "" when unknown.
func (i JobInfo) Group() string { return i.job().Group }

// Request is the run time that the job's user asked for, 0 when unknown.
func (i JobInfo) Request() Time { return i.job().Request }

// Deadline is the time by which the job should be done, a time like View.Now, which may have
// passed; Never where it has none, so that deadlines compare.
func (i JobInfo) Deadline() Time {
	if d := i.job().Deadline; d > 0 {
		return d
	}
	return Never
}

// Public is a copy of the job without its work and its ending: Work, Iterations, IterS and State
// are zero, GPUType is as the cluster spells it, GPUMiB and GPUUtilFrac are as the methods give
// them. Record needs know.Record; else nil.
func (i JobInfo) Public() Job {
	c := *i.job()
	run := c.Record
	c.hide()
	if i.v.knows&know.Record != 0 {
		c.Record = run
	}
	c.GPUType = i.v.e.top.Named(c.GPUType)
	c.GPUMiB, c.GPUUtilFrac = i.GPUMiB(), i.GPUUtilFrac()
	return c
}

// profiled reports whether the profile of the job is open: it has run, or the policy declares
// know.Profile.
func (i JobInfo) profiled() bool {
	return i.v.knows&know.Profile != 0 || i.v.e.of(i.id).start != Never
}

// GPUMiB is the memory in MiB that the job needs on each of its GPUs; 0 = not known, which it is
// before the job has run without know.Profile.
func (i JobInfo) GPUMiB() int32 {
	if !i.profiled() {
		return 0
	}
	return i.job().GPUMiB
}

// GPUUtilFrac is the part of the time for which the job keeps a GPU busy that it has alone, in (0,
// 1]; 0 = not known, which it is before the job has run without know.Profile.
func (i JobInfo) GPUUtilFrac() float64 {
	if !i.profiled() {
		return 0
	}
	return i.job().GPUUtilFrac
}

// Batches gives the limits of the job's batch; the zero value where the speed model has none.
func (i JobInfo) Batches() BatchLimits {
	if i.v.e.progressive == nil {
		return BatchLimits{}
	}
	return i.v.e.progressive.Batches(i.job())
}

// Work is the job's whole work, in microseconds of one reference GPU. It needs know.Work; else NaN.
func (i JobInfo) Work() float64 {
	if i.v.knows&know.Work == 0 {
		return math.NaN()
	}
	return float64(i.job().Work)
}

// Iterations is the number of training iterations in Work, 0 when unknown. It needs know.Work; else
// 0.
func (i JobInfo) Iterations() int64 {
	if i.v.knows&know.Work == 0 {
		return 0
	}
	return i.job().Iterations
}

// IterS is the time of one iteration on one GPU in seconds, 0 when unknown: the unit of progress,
// which does not show how many iterations there are. It needs know.Done, know.Work or
// know.Progress; else 0.
func (i JobInfo) IterS() float64 {
	job := i.job()
	switch {
	case i.v.knows&(know.Done|know.Work|know.Progress) == 0 || job.Iterations == 0:
		return 0
	case job.IterS > 0:
		return job.IterS
	}
	return job.Work.Seconds() / float64(job.Iterations)
}

// Estimate is the estimated whole work, with a predictor the work of the predicted median run time.
// It needs know.Estimate; else NaN.
func (i JobInfo) Estimate() float64 {
	e := i.v.e
	switch {
	case i.v.knows&know.Estimate == 0 || e.isReplica(i.id):
		return math.NaN()
	case e.predictor != nil:
		return fixmath.Exp(e.laws[i.id].LogMedian) * i.job().Width() * 1e6
	case e.cfg.Estimate == nil:
		return float64(i.job().Work)
	}
	return float64(e.cfg.Estimate(i.id))
}

// Law is the law of the job's run time that the predictor gave at its arrival, on the GPUs for
// which the job asks, at full speed; RunInfo.Ran is what has passed of it. ok is false without a
// predictor, and without know.Estimate.
func (i JobInfo) Law() (l law.Law, ok bool) {
	if i.v.knows&know.Estimate == 0 || i.v.e.predictor == nil {
		return law.Law{}, false
	}
	return i.v.e.laws[i.id], true
}
