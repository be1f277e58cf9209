package sim

import (
	"fmt"

	"tarry/sim/cluster"
)

// DecisionKind states what a Decision asks for.
type DecisionKind uint8

// The kinds. Every published scheduler is expressed with these; docs/reference/schedulers.md#how-a-scheduler-is-expressed shows
// how.
const (
	// Start gives a waiting job GPUs (all at once). Uses GPUs, Lease and the options.
	Start DecisionKind = iota
	// Preempt stops a running job; after its checkpoint it waits and its GPUs are free. With
	// Costs.Kill that is at once, and it lost what it did since its last checkpoint.
	Preempt
	// Migrate moves a running job to GPUs (same count), without a trip through the queue. Lease as
	// in Start.
	Migrate
	// Resize gives a running elastic job another number of GPUs. Lease as in Start.
	Resize
	// Renew gives a running job a new Lease from now (0 = none).
	Renew
	// Tune changes Knobs of a running job; zero fields stay as they are. Its Delay holds progress
	// back from now on.
	Tune
	// WakeAt asks for a Timer event at At with Key; it replaces an earlier one of the same Key.
	// At == Never cancels.
	WakeAt
	// Watch asks for a Cross event when the job's Counter reaches Bound; it replaces the job's
	// earlier watch. Bound == Never cancels.
	Watch
	// Cordon keeps Machine's free GPUs, and GPUs that become free, from being given out. Who runs
	// there continues. A machine is cordoned once; outages are counted apart.
	Cordon
	// Uncordon ends a Cordon.
	Uncordon
	// Lift takes the GPUs of a running job away for the decisions that follow: a Migrate or Resize
	// among them must give it GPUs again, and nothing else is decided of it in between. So running
	// jobs exchange GPUs, each at the price of its move, which is the price of the move without
	// Lift.
	Lift
	// Reject turns a waiting job away for good: it leaves the system, is Rejected and never runs
	// again. One that ran before and waits once more may be rejected too; what it did stays in its
	// Record. No event follows: the policy knows.
	Reject
	// PowerOff switches Machine off, which is on and holds no job: its GPUs leave the free list.
	PowerOff
	// PowerOn boots Machine, which is off or stopping; at the end of the boot, with the event Ready,
	// its GPUs are free.
	PowerOn
)

// String is the kind's name in lower case.
func (k DecisionKind) String() string {
	names := [...]string{"start", "preempt", "migrate", "resize", "renew", "tune", "wake-at", "watch", "cordon",
		"uncordon", "lift", "reject", "power-off", "power-on"}
	if int(k) >= len(names) { // a policy may ask for anything; the refusal names it
		return fmt.Sprintf("kind %d", k)
	}
	return names[k]
}

// Counter is a quantity of a job that a policy can watch.
type Counter uint8

const (
	// Service is attained service: GPUs x running time, in GPU-microseconds.
	Service Counter = iota
	// RunTime is the time spent running, in microseconds.
	RunTime
	// Progress is the work done and not lost, in microseconds of one reference GPU. A watch of it
	// needs know.Progress, know.Done or know.Work.
	Progress
)

// Decision is one thing a policy asks for, as a value. Only the kernel mutates; it
// checks every decision and refuses a wrong one with an error that names it.
// Decisions are applied in order, so a Start may use what a Preempt before it freed.
type Decision struct {
	Kind DecisionKind
	// Job is the job concerned (not for WakeAt and what concerns a machine).
	Job JobID
	// GPUs is the allocation, ascending. The kernel copies it.
	GPUs []cluster.GPU
	// Lease is how long the GPUs are granted before they are contested again; 0 = until the job
	// ends.
	Lease Time
	// Knobs are what a Start, Migrate or Resize sets besides the GPUs, and what a Tune changes.
	Knobs
	// At is WakeAt's instant; Key its name, >= 0.
	At  Time
	Key int32
	// Counter and Bound belong to Watch; Bound is in the counter's unit.
	Counter Counter
	Bound   Time
	// Machine belongs to Cordon, Uncordon, PowerOff and PowerOn.
	Machine int32
}
