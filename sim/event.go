package sim

// EventKind orders what happens at one instant: lower kinds are processed first.
type EventKind uint8

// The kinds. All events of an instant are processed, in this order and then by
// sequence, before the policy is asked once; what an Operator did comes last.
const (
	// Finish: a job has done its work; its GPUs are free.
	Finish EventKind = iota
	// Drained: the checkpoint of a preempted job is written; its GPUs are free and it waits.
	Drained
	// OutOfMemory: a job that was given GPUs without memory enough for it has failed there; its
	// GPUs are free, and it waits as of its last checkpoint.
	OutOfMemory
	// Expire: a job's lease has ended. It still holds its GPUs and runs on without a lease
	// unless the policy renews, moves or preempts it.
	Expire
	// Cross: a watched counter has reached its bound.
	Cross
	// Ready: the boot of a machine (Key) has ended; its GPUs are free.
	Ready
	// Shift: the price, the carbon intensity or the cap of the run's power model has changed.
	Shift
	// Timer: a WakeAt of the policy is due.
	Timer
	// Fail: a GPU or machine went down, or went to services. One event per interrupted job (Job set),
	// and one for the unit itself (Job == NoJob).
	Fail
	// Repair: a GPU or machine came back, from repair or from services.
	Repair
	// Load: the load of a service (Key) has changed.
	Load
	// Arrive: a job was submitted and waits.
	Arrive
)

// String is the kind's name in lower case.
func (k EventKind) String() string {
	return [...]string{"finish", "drained", "out-of-memory", "expire", "cross", "ready", "shift", "timer", "fail",
		"repair", "load", "arrive"}[k]
}

// Event is one thing that happened at the instant of a decision.
type Event struct {
	Kind EventKind
	// Job is the job concerned, or NoJob.
	Job JobID
	// Key is the key of a Timer, the machine of a Ready, the service of a Load; else 0.
	Key int32
}
