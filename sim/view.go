package sim

import (
	"fmt"

	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/tenant"
)

// View is what a policy sees at a decision: read-only but for the tentative free list. It is
// valid until Apply. Slices it gives must not be kept or changed.
type View struct {
	e      *Engine
	knows  know.Set
	others bool // events, in place of the instant's own
	events []Event
}

// Now is the present instant.
func (v *View) Now() Time { return v.e.now }

// Events lists what happened at this instant, in order.
func (v *View) Events() []Event {
	if v.others {
		return v.events
	}
	return v.e.batch
}

// With gives the view with other events, for a policy that another one asks: it may get events
// later, or failures in place of starts that were not made.
func (v *View) With(events []Event) View {
	return View{e: v.e, knows: v.knows, others: true, events: events}
}

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

// Usable is the number of GPUs that are not down, and hold no replica.
func (v *View) Usable() int { return v.e.top.GPUs() - v.e.downGPUs - v.e.fleet.gpus }

// Fail states that the policy cannot decide, and why: the run ends with that error when the
// decisions of this instant are applied. A solver that gives up on a problem that must have a
// solution is such a case; a job without a place is none.
func (v *View) Fail(err error) {
	if v.e.err == nil {
		v.e.err = fmt.Errorf("at %v: the policy cannot decide: %w", v.e.now, err)
	}
}

// Cancelled reports whether the run was cancelled; what Decide returns after a true is discarded. A
// policy asks between the steps of a long decision: each generation of a search, each node of a
// tree. Whether the run ends here never depends on the policy, so that results do not either.
func (v *View) Cancelled() bool {
	if v.e.ctx == nil || v.e.ctx.Err() == nil {
		return false
	}
	v.e.cancelled = true
	return true
}

// Tenants reports who owns which part of the cluster, nil where the run states nothing; it stays
// the same during a run.
func (v *View) Tenants() *tenant.Set { return v.e.cfg.Tenants }

// Owner is the first job on a GPU, or NoJob.
func (v *View) Owner(g cluster.GPU) JobID {
	if v.e.fleet.gpus > 0 && v.e.fleet.on[g] > 0 {
		return v.e.first(g, false)
	}
	return v.e.owner[g]
}

// Share is what is in use of a GPU, in thousandths.
func (v *View) Share(g cluster.GPU) int { return int(v.e.used[g]) }

// Up reports whether a GPU may be given out once it is unused: it has not failed, and its machine
// is not cordoned, and no replica is on it.
func (v *View) Up(g cluster.GPU) bool {
	return v.e.down[g] == 0 && (v.e.fleet.gpus == 0 || v.e.fleet.on[g] == 0)
}

// Speeds reports what the speed of a job depends on besides its own allocation: coupled, on who else
// runs, through links; progressive, on how far the job is. Where neither is set it is constant while
// a job has GPUs of its own.
func (v *View) Speeds() (coupled, progressive bool) {
	return v.e.coupled != nil, v.e.progressive != nil
}

// History is a sample of the work of earlier jobs, ascending. It needs know.History; else nil.
func (v *View) History() []Time {
	if v.knows&know.History == 0 {
		return nil
	}
	return v.e.cfg.History
}

// Variability reports how GPUs of one type differ, nil where they do not; it stays the same during
// a run. It needs know.Speed; else nil.
func (v *View) Variability() Variability {
	if v.knows&know.Speed == 0 {
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
