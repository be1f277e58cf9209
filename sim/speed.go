package sim

import "tarry/sim/cluster"

// Speed states how fast a job runs on an allocation.
type Speed struct {
	// Rate is work done per unit of time: seconds of one reference GPU per second; >= 0. Four GPUs
	// without any communication cost have rate 4. At rate 0 the job is stalled: it holds its GPUs,
	// its running time passes, and it ends at no time until a Tune, a move, a job beside it or a
	// coupled model gives it another rate.
	Rate float64
	// ComputeFrac is the part of the running time spent computing, in (0, 1]; the rest is
	// exposed communication.
	ComputeFrac float64
}

// Query is what a speed model may look at.
type Query struct {
	// Job is the job as the trace gives it.
	Job *Job
	// ID is its index.
	ID JobID
	// GPUs is the allocation, ascending.
	GPUs []cluster.GPU
	// Knobs are the allocation's, each with its value: ShareMilli in 1..1000, FreqFrac and
	// Batch > 0.
	Knobs
	// Done is the work done so far, in microseconds of one reference GPU; of a job that waits, what
	// it will resume from.
	Done float64
	// Now is the simulated time from which the answer holds: the present, and for a job that pauses
	// or starts up the time at which it works again.
	Now Time
	// Peers are the other jobs that hold a share of one of GPUs, ascending by ID; usually none.
	// They are valid during the call.
	Peers []Peer
}

// Peer is a job beside the job of a Query.
type Peer struct {
	// Job is the job as the trace gives it, ID its index.
	Job *Job
	ID  JobID
	// GPUs are all that it holds.
	GPUs []cluster.GPU
	Knobs
}

// SpeedModel is the one place where placement meets progress. Every published
// cost model is a special case of it.
type SpeedModel interface {
	// Speed answers for one job; it must not keep q. An error (such as a shape that a
	// table does not hold) ends the run with that error.
	Speed(q *Query) (Speed, error)
}

// Variability states how GPUs of one type differ in speed, by class of application. A SpeedModel in
// which they differ has it.
type Variability interface {
	// Class is the class of a model.
	Class(model string) int
	// Factors gives the speed of each GPU for jobs of a class, relative to its type's; > 0. A job
	// runs at its slowest GPU's. It must not be changed.
	Factors(class int) []float64
}

// Coupled is a SpeedModel in which jobs slow one another down through shared
// links. The engine reports to it every start and stop and asks whose speed moved.
type Coupled interface {
	SpeedModel
	// Place adds a running job, Remove takes it away.
	Place(q *Query) error
	Remove(id JobID)
	// Touched appends the jobs whose speed changed since the last call, ascending, and forgets
	// them.
	Touched(dst []JobID) []JobID
	// Reset forgets all jobs; the engine calls it before a run and before it restores a snapshot.
	Reset()
}
