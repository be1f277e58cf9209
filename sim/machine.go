package sim

import (
	"context"

	"tarry/sim/cluster"
	"tarry/sim/law"
	"tarry/sim/service"
)

// Engine is the kernel: a pure state machine driven from outside. Next moves to the next
// instant at which something happened and gives the view; Apply takes the decisions.
// It is not safe for concurrent use.
type Engine struct {
	// What the Config gives stays the same for the whole run.
	cfg         Config
	top         *cluster.Topology
	obs         []Observer
	jobs        []Job       // of the workload, by JobID; nil where jobs are streamed
	total       int         // jobs of the run
	coupled     Coupled     // the speed model where jobs slow one another down; nil = speeds are independent
	progressive Progressive // the speed model where speeds depend on progress; nil = they do not
	meter       meter       // gives the telemetry of jobs; nil = there is none
	grid        Time        // MarkEvery under a progressive model
	every       Time        // interval of periodic checkpoints; 0 = none
	view        View        // handed out at each decision
	powered     []powered   // the observers of power
	servers     []server    // the observers of services
	firsts      []JobID     // by service: its first replica; behind them the end of all

	// Of the Drive that runs.
	ctx       context.Context // nil outside
	cancelled bool            // Cancelled gave true

	state
	scratch
}

// state is what changes during a run. Snapshot copies what a run of held jobs needs to continue.
type state struct {
	now      Time
	earliest Time // the earliest instant at which anything new can happen
	ended    bool
	err      error // ends the run
	nEvents  int64 // events so far
	idle     span  // since when no job makes progress

	// Jobs.
	at         []int32   // JobID -> row
	runs       []run     // row -> record of the kernel
	own        []Job     // row -> job of a stream; nil where the workload holds the jobs
	vacant     []int32   // rows without a job
	past       []Record  // JobID -> record of a job that has ended; nil where jobs are streamed
	leaving    []JobID   // jobs that ended at this instant and give their rows up at the next
	running    []JobID   // in no order
	waiting    int       // jobs
	draining   int       // preempted jobs that still write their checkpoint
	inSystem   int       // jobs that came and have not ended
	next       int       // the next job to arrive
	nextSubmit Time      // its arrival; Never = all came
	nextJob    Job       // the job itself, of a stream
	predictor  Predictor // nil = none
	laws       []law.Law // JobID -> law of the run time, predicted at the arrival
	phases     []float64 // of a Snapshot: what the speed model has beside
	// special has knobs and pieces of the few allocations that are not the usual ones;
	// specialIdle lists its unused places.
	special     []special
	specialIdle []int32

	// What is due.
	events       queue   // finishes, marks, leases and watches, by row
	timers       []Time  // key -> instant; Never = not set
	outage       Outage  // the next failure or repair
	hasOutage    bool    // there is one
	outageSource Outages // the source of those after it

	// The cluster.
	free     *cluster.Free
	used     []int16 // GPU -> thousandths in use
	owner    []JobID // GPU -> first job on it
	mates    sharers // the jobs on shared GPUs
	gpuUsed  []int64 // GPU -> MiB of its memory in use; nil where no machine states what its GPUs have
	down     []int32 // GPU -> outages, cordons and power-offs in force
	outages  []int32 // GPU -> outages in force
	cordoned []bool  // machine -> cordoned
	cpuUsed  []int64 // machine -> thousandths of a core in use
	memUsed  []int64 // machine -> MiB of host memory in use
	busy     int     // GPUs in use
	downGPUs int     // GPUs that are down
	machines machines
	fleet    fleet // services and loans

	// Integrals over time up to areaAt.
	areaJobs, areaWait area // jobs in the system, jobs that wait
	busyArea           Time // GPUs in use
	areaAt             Time

	// From an instant to its decision.
	batch      []Event // what happened
	leftBeside []JobID // jobs beside which a job has left a GPU since the last decision
}

// scratch is memory that is used again, so that a warm run allocates nothing. It means nothing
// between two instants.
type scratch struct {
	lifted  int     // jobs that a Lift has taken the GPUs of, in the decisions so far of this instant
	touched []JobID // jobs whose speed is asked for again
	failed  []JobID // jobs that ran out of memory by the decisions so far of this instant
	present []JobID // lists that View.On gave since the last decision
	sharing []JobID // jobs on the same GPUs as a job
	peers   []Peer  // peers of a question

	question         Query     // to the speed model
	telemetry        Telemetry // its answer
	change           Change    // to Costs.Of
	predictedJob     Job       // to the predictor
	gauge            Gauge     // to observers, and so are the next two
	observedInterval Interval
	observedRecord   Record
	observedSpan     service.Span

	operating    bool       // the operator's decisions are carried out
	operations   []Decision // of the operator
	operatorView View

	spent [][]cluster.GPU     // allocations given up since the last decision, which policies may still read
	spare [32][][]cluster.GPU // allocations to use again; spare[k] has the ones having room for 1<<k GPUs
}
