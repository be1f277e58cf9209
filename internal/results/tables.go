package results

import "cmp"

// Row is a row of a table. Its fields are columns: the tag `col:"name"` names one,
// `col:"name,delta"` also asks for delta encoding (integers that grow), and embedded
// structs are flattened. The types are float64, int64, int32, uint64 and string.
type Row interface {
	// Table names the table, in the folder, the metadata and in errors.
	Table() string
}

// Keys say which trial a row belongs to. They lead every table.
type Keys struct {
	Experiment string `col:"experiment"` // the sweep's name; "" outside sweeps
	Cell       string `col:"cell"`       // the id of the sweep's cell; "" outside sweeps
	Policy     string `col:"policy"`     // with its options, as the user wrote it
	Trace      string `col:"trace"`
	Cluster    string `col:"cluster"`
	Speed      string `col:"speed"`
	Placement  string `col:"placement"`
	Seed       uint64 `col:"seed"`
	Replicate  int64  `col:"replicate"` // from 0
}

// Compare orders keys column by column: the order in which rows are written.
func (k Keys) Compare(o Keys) int {
	return cmp.Or(
		cmp.Compare(k.Experiment, o.Experiment), cmp.Compare(k.Cell, o.Cell), cmp.Compare(k.Policy, o.Policy),
		cmp.Compare(k.Trace, o.Trace), cmp.Compare(k.Cluster, o.Cluster),
		cmp.Compare(k.Speed, o.Speed), cmp.Compare(k.Placement, o.Placement),
		cmp.Compare(k.Seed, o.Seed), cmp.Compare(k.Replicate, o.Replicate),
	)
}

// Summary holds the metrics of one trial. Means and quantiles (type 7) are over
// the finished jobs; NaN when there are none.
type Summary struct {
	Jobs           int64   `col:"jobs"`       // jobs of the workload
	JCTMean        float64 `col:"jct_mean_s"` // job completion time: end - submit
	JCTP50         float64 `col:"jct_p50_s"`
	JCTP95         float64 `col:"jct_p95_s"`
	JCTP99         float64 `col:"jct_p99_s"`
	QueueMean      float64 `col:"queue_mean_s"` // time in the system without GPUs
	QueueP50       float64 `col:"queue_p50_s"`
	QueueP95       float64 `col:"queue_p95_s"`
	QueueP99       float64 `col:"queue_p99_s"`
	SlowdownMean   float64 `col:"slowdown_mean"` // JCT / time alone on ideally placed GPUs
	SlowdownP50    float64 `col:"slowdown_p50"`
	SlowdownP95    float64 `col:"slowdown_p95"`
	SlowdownP99    float64 `col:"slowdown_p99"`
	Makespan       float64 `col:"makespan_s"`    // last end - first submit
	CommMean       float64 `col:"comm_mean_s"`   // exposed communication per job
	CommFrac       float64 `col:"comm_frac"`     // communication / running time, over all jobs
	GPUUtil        float64 `col:"gpu_util_frac"` // GPU-seconds held / GPU-seconds there until the makespan
	Preemptions    int64   `col:"preemptions"`
	Migrations     int64   `col:"migrations"`
	Fairness       float64 `col:"fairness"`   // Jain's index over the slowdowns, 1/n (one job suffers) to 1 (all equal)
	Refused        int64   `col:"refused"`    // jobs that can never be placed
	Unfinished     int64   `col:"unfinished"` // jobs still there when the run was cut
	ConfigSHA256   string  `col:"config_sha256"`
	WorkloadSHA256 string  `col:"workload_sha256"`
	Version        string  `col:"version"`
}

// Trial is one row of the table trials: one run of one policy on one workload.
type Trial struct {
	Keys
	Summary
}

// Eval is one row of the table evals: a frozen agent on a held-out workload.
type Eval struct {
	Keys
	Agent string `col:"agent"`
	Summary
}

// Job is one row of the table jobs.
type Job struct {
	Keys
	ID          string  `col:"job"` // the trace's own name
	Submit      float64 `col:"submit_s"`
	Start       float64 `col:"start_s"` // first allocation; NaN = never
	End         float64 `col:"end_s"`   // NaN = unfinished or refused
	JCT         float64 `col:"jct_s"`
	Queue       float64 `col:"queue_s"` // without GPUs
	Run         float64 `col:"run_s"`   // with GPUs
	Compute     float64 `col:"compute_s"`
	Comm        float64 `col:"comm_s"`
	Overhead    float64 `col:"overhead_s"` // start, checkpoint, restore, lost work
	GPUs        int64   `col:"gpus"`       // asked
	Model       string  `col:"model"`
	User        string  `col:"user"`
	VC          string  `col:"vc"`
	Tier        string  `col:"tier"` // level of the last allocation; "" = none
	Preemptions int64   `col:"preemptions"`
	Migrations  int64   `col:"migrations"`
	Faults      int64   `col:"faults"`
	Allocations int64   `col:"allocations"`
	// Allocations by the finest level whose one unit held them.
	AllocSlot    int64   `col:"alloc_slot"`
	AllocMachine int64   `col:"alloc_machine"`
	AllocRack    int64   `col:"alloc_rack"`
	AllocNetwork int64   `col:"alloc_network"`
	Slowdown     float64 `col:"slowdown"`
	State        string  `col:"state"` // how the job ended in the trace; "" = unknown
	Drawn        string  `col:"drawn"` // fields that a rule filled in, "model+user"
}

// Interval is one row of the table intervals: one job on one set of GPUs at one rate.
type Interval struct {
	Keys
	Job         string  `col:"job"`
	Start       float64 `col:"start_s"`
	End         float64 `col:"end_s"`
	Tier        string  `col:"tier"`
	Machines    int64   `col:"machines"`
	GPUs        int64   `col:"gpus"`
	Rate        float64 `col:"rate"`         // progress relative to one reference GPU
	ComputeFrac float64 `col:"compute_frac"` // 1 - exposed communication share
	GPUList     string  `col:"gpu_list"`     // FormatGPUs: "0-7,12"
	ShareMilli  int64   `col:"share_milli"`  // part of each GPU, thousandths; 1000 = whole
	Reason      string  `col:"reason"`       // why it ended: finish, preempt, migrate, ...
}

// Sample is one row of the table cluster: the cluster's state from Time on.
type Sample struct {
	Keys
	Time     float64 `col:"time_s"`
	Busy     int64   `col:"gpus_busy"`
	Free     int64   `col:"gpus_free"`
	Down     int64   `col:"gpus_down"`
	Waiting  int64   `col:"jobs_waiting"`
	Running  int64   `col:"jobs_running"`
	Frag     float64 `col:"frag_frac"` // free GPUs on partly used machines / free GPUs
	LinkUtil float64 `col:"link_util"` // mean over uplinks; NaN = not modelled
}

// Curve is one row of the table curves: one training update.
type Curve struct {
	Keys
	Agent      string  `col:"agent"`
	Update     int64   `col:"update,delta"`
	EnvSteps   int64   `col:"env_steps,delta"`
	Episodes   int64   `col:"episodes,delta"`
	ReturnMean float64 `col:"return_mean"`
	ReturnStd  float64 `col:"return_std"`
	LossPolicy float64 `col:"loss_policy"`
	LossValue  float64 `col:"loss_value"`
	Entropy    float64 `col:"entropy"`
	KL         float64 `col:"kl"`
	ClipFrac   float64 `col:"clip_frac"`
	ExplVar    float64 `col:"explained_variance"`
	LR         float64 `col:"lr"`
	Validation float64 `col:"validation_return"` // mean return on validation after the update; NaN = not measured
}

// Timing is one row of the table timing, the only one that wall clocks reach.
type Timing struct {
	Keys
	Wall         float64 `col:"wall_s"`
	Events       int64   `col:"events"`
	EventsPerS   float64 `col:"events_per_s"`
	EnvStepsPerS float64 `col:"env_steps_per_s"`
	PeakRSS      int64   `col:"peak_rss_bytes"`
}

// Table names the table.
func (Trial) Table() string { return "trials" }

// Table names the table.
func (Eval) Table() string { return "evals" }

// Table names the table.
func (Job) Table() string { return "jobs" }

// Table names the table.
func (Interval) Table() string { return "intervals" }

// Table names the table.
func (Sample) Table() string { return "cluster" }

// Table names the table.
func (Curve) Table() string { return "curves" }

// Table names the table.
func (Timing) Table() string { return "timing" }
