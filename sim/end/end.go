// Package end has the reasons for which an allocation ends.
package end

// Reason is why an allocation ended.
type Reason uint8

// The reasons.
const (
	// Finish: the job has done its work.
	Finish Reason = iota
	// Preempt: the policy took the GPUs, and the checkpoint is written.
	Preempt
	// Migrate: the job runs on, on other GPUs.
	Migrate
	// Resize: the job runs on, on another number of GPUs.
	Resize
	// Fault: a machine or GPU failed.
	Fault
	// Horizon: the run ended first.
	Horizon
	// Tune: the job runs on with other knobs on the same GPUs.
	Tune
	// Mark: the job passed a mark of a progressive model and runs on at another speed.
	Mark
	// OutOfMemory: the job ran out of memory of one of its GPUs. It held no part of that memory in
	// the interval; GPUMiB of the interval is what it asked for.
	OutOfMemory
)

// String is the reason's name in lower case.
func (r Reason) String() string {
	return [...]string{"finish", "preempt", "migrate", "resize", "fault", "horizon", "tune", "mark", "out-of-memory"}[r]
}
