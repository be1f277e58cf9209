package sim

import (
	"tarry/sim/cluster"
	"tarry/sim/end"
)

// Interval is one allocation of one job, reported when it has ended; one that was tuned, or that
// passed a mark at which its speed changed, is reported in pieces, each with its knobs.
type Interval struct {
	Job JobID
	// GPUs must not be kept.
	GPUs  []cluster.GPU
	Level cluster.Level
	// Start and End bound the time the GPUs were held, pauses and checkpoint included.
	Start, End Time
	// Work is what was done in it, in microseconds of one reference GPU; Run the time with
	// progress.
	Work float64
	Run  Time
	// Done is the work done at End and not lost before it.
	Done float64
	// CommFrac is the mean exposed communication over Run.
	CommFrac float64
	// Knobs were in force all the time.
	Knobs
	Reason end.Reason
}

// JobState is where a job is in its life.
type JobState uint8

// The states, in the order of a life.
const (
	// Pending: not yet submitted.
	Pending JobState = iota
	// Waiting: holds no GPU.
	Waiting
	// Running: holds GPUs; may be paused by a cost.
	Running
	// Draining: preempted, holds its GPUs until the checkpoint is written.
	Draining
	// Done: all work done.
	Done
	// Refused: can never be placed on this cluster; named when it arrives.
	Refused
	// Rejected: turned away by the policy's own admission; it never runs after that.
	Rejected
)

// String is the state's name in lower case.
func (s JobState) String() string {
	return [...]string{"pending", "waiting", "running", "draining", "done", "refused", "rejected"}[s]
}

// Record is the life of one job, reported when it ends (or when the run does).
// End - Submit = Queue + Run + Overhead, exactly, for a job that is Done or Rejected.
type Record struct {
	Job   JobID
	State JobState
	// Start is the first grant; Never if there was none. End is when it was done or rejected; Never
	// if it was neither.
	Start, End Time
	// Queue is the time without GPUs, Run the time with progress, Overhead the time with GPUs but
	// without progress (starting, restoring, checkpointing).
	Queue, Run, Overhead Time
	// Comm is the part of Run spent in exposed communication.
	Comm Time
	// Lost is work thrown away by faults, by kills (Costs.Kill) and by running out of memory, in
	// microseconds of one reference GPU; LostRun the part of Run in which it was done, KilledRun
	// the part of LostRun that kills undid.
	Lost, LostRun, KilledRun Time
	// Preemptions, Migrations, Faults and Allocations count; ByLevel counts allocations by level.
	Preemptions, Migrations, Faults, Allocations int32
	ByLevel                                      [5]int32
	// Level is the level of the last allocation.
	Level cluster.Level
	// OutOfMemory counts how often it ran out of memory of a GPU.
	OutOfMemory int32
}

// Gauge is the state of the cluster after a decision.
type Gauge struct {
	Now Time
	// Busy, Free and Down count GPUs; Waiting and Running count jobs.
	Busy, Free, Down, Waiting, Running int
	// Largest is the largest number of free GPUs on one machine.
	Largest int
}

// Observer receives what happened. It cannot change the run.
type Observer interface {
	// Interval is called when an allocation ends, Job when a job ends, Instant after every
	// decision.
	Interval(i *Interval)
	Job(r *Record)
	Instant(g *Gauge)
}
