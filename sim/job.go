package sim

import (
	"fmt"

	"tarry/sim/origin"
	"tarry/sim/recorded"
)

// JobID is the index of a job in its Workload. It orders jobs by (submit, id),
// so comparing two JobIDs is the tie-break that every policy uses.
type JobID int32

// NoJob is the JobID of nothing.
const NoJob JobID = -1

// Job is one training job as a trace or a generator gives it. It is immutable
// during a run. Policies never see it: they read what their declared
// information allows through View.
type Job struct {
	// ID is the trace's own name of the job; unique in its workload.
	ID string
	// Submit is the arrival, counted from the workload's start; >= 0.
	Submit Time
	// GPUs is the gang asked for; >= 1.
	GPUs int32
	// MinGPUs and MaxGPUs bound the count of an elastic job; 0 means GPUs.
	MinGPUs, MaxGPUs int32
	// WorkerGPUs is the size of one worker (pod): every count on which the job runs is a multiple
	// of it; 0 = 1.
	WorkerGPUs int32
	// Work is the time the job would need on one whole GPU of the reference type with no
	// communication; > 0. On a share s of each of g GPUs with compute fraction f it takes
	// Work/(g*s*f).
	Work Time
	// Iterations is the number of training iterations in Work; 0 = unknown.
	Iterations int64
	// IterS is the time of one iteration on one GPU, in seconds, as the trace gives it; 0 = Work /
	// Iterations.
	IterS float64
	// Model names the profile in the catalogue of sim/models; "" = unknown.
	Model string
	// User and VC (virtual cluster, queue, tenant) own the job; "" = unknown.
	User, VC string
	// Group is the user's group, as in a batch system; "" = unknown.
	Group string
	// GPUType restricts the job to machines of that type; "" = any.
	GPUType string
	// State is how the job ended in the trace (Pass, Killed, ...); "" = unknown.
	State string
	// Request is the run time on the job's own GPUs that its user asked for at submit, often many
	// times the run time itself; 0 = unknown. A simulation never ends a job because of it.
	Request Time
	// Deadline is an absolute time; 0 = none.
	Deadline Time
	// ShareMilli is the part of each GPU asked for, in thousandths; 0 or 1000 = whole.
	ShareMilli int32
	// CPUMilli and MemMiB are asked per GPU; 0 = not constrained.
	CPUMilli, MemMiB int32
	// GPUMiB is the memory that the job needs on each of its GPUs, in MiB; 0 = not known, which
	// counts as none.
	GPUMiB int32
	// GPUUtilFrac is the part of the time for which the job keeps a GPU busy that it has alone, in
	// (0, 1]; 0 = not known.
	GPUUtilFrac float64
	// Priority is the owner's own priority, larger is more urgent; 0 = none.
	Priority int32
	// BatchSize is the job's own global batch in samples; 0 = not known (models use their initial
	// batch).
	BatchSize int32
	// Record is what the trace's own cluster did with the job; nil = not recorded.
	Record *recorded.Run
	// Drawn states which fields the trace did not hold and a stated rule filled in.
	Drawn origin.Field
}

// Range gives the least and the most GPUs on which the job can run: multiples of WorkerGPUs.
func (j *Job) Range() (lo, hi int32) {
	lo, hi = j.bounds()
	if w := j.WorkerGPUs; w > 1 {
		lo, hi = (lo-1)/w*w+w, hi/w*w
	}
	return lo, hi
}

// bounds is Range as the job's fields have it.
func (j *Job) bounds() (lo, hi int32) {
	lo, hi = j.MinGPUs, j.MaxGPUs
	if lo == 0 {
		lo = j.GPUs
	}
	if hi == 0 {
		hi = j.GPUs
	}
	return lo, hi
}

// runsOn reports why the job cannot run on so many GPUs, nil when it can.
func (j *Job) runsOn(n int32) error {
	lo, hi := j.Range()
	switch {
	case n < lo || n > hi:
		return fmt.Errorf("%d GPUs, expected %d..%d", n, lo, hi)
	case j.WorkerGPUs > 1 && n%j.WorkerGPUs != 0:
		return fmt.Errorf("%d GPUs, expected a multiple of %d, which is the size of a worker", n, j.WorkerGPUs)
	}
	return nil
}

// Width is the GPUs asked for, a share counted as a part of one: Work/Width is the run time
// at once and without communication. It is > 0.
func (j *Job) Width() float64 {
	if j.ShareMilli > 0 {
		return float64(float64(j.GPUs)*float64(j.ShareMilli)) / 1000
	}
	return float64(j.GPUs)
}
