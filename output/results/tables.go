package results

import (
	"cmp"
	"math"
)

// Row is a row of a table. Its fields are columns. The tag `col:"name"` names one; after a comma
// come options: delta asks for delta encoding (integers that grow), later marks a column that files
// of earlier versions lack (it then reads as its missing value), signed writes a uint64 as a signed
// integer whose -1 is NoSeed. The tags unit, doc and none are the data dictionary: the unit, the
// meaning, and what a missing value stands for; without none a value is always there. Embedded
// structs are flattened. The types are float64, int64, int32, uint64 and string. A row with a method
// Partial() has some columns of its table: readers pass over the others, which saves their time.
type Row interface {
	// Table names the table, in the folder, the metadata and in errors.
	Table() string
}

// NoSeed is the seed of what has none or is not known; tables show it as -1. Other seeds are at
// most 2^63-1.
const NoSeed = math.MaxUint64

// maxSeed is the largest seed that a signed integer holds.
const maxSeed = math.MaxInt64

// Keys name the trial of a row. They lead every table.
type Keys struct {
	Experiment string `col:"experiment" unit:"text" doc:"name of the sweep" none:"empty: not part of a sweep"`
	Cell       string `col:"cell" unit:"text" doc:"id of the sweep's cell, key=value folders" none:"empty: not part of a sweep"`
	Policy     string `col:"policy" unit:"text" doc:"policy with its options, as it was given; in curves the agent"`
	Trace      string `col:"trace" unit:"text" doc:"where the jobs come from; in curves the environment"`
	Cluster    string `col:"cluster" unit:"text" doc:"cluster, a name or racks x machines x GPUs" none:"empty: no cluster"`
	Speed      string `col:"speed" unit:"text" doc:"speed model" none:"empty: no speed model"`
	Placement  string `col:"placement" unit:"text" doc:"placement rule" none:"empty: no placement rule"`
	Seed       uint64 `col:"seed,signed" unit:"integer" doc:"seed of the jobs and faults; in curves and tune of the search" none:"-1: nothing is drawn, or the seed is not known"`
	Replicate  int64  `col:"replicate" unit:"integer" doc:"replicate, or window of an evaluation, from 0"`
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

// Summary holds the metrics of one trial. Means and quantiles (type 7) are over the finished jobs;
// NaN when there are none. Jobs = Finished + Unfinished + Refused + Rejected.
type Summary struct {
	Jobs         int64   `col:"jobs" unit:"jobs" doc:"jobs of the workload: finished + unfinished + refused + rejected"`
	Finished     int64   `col:"finished,later" unit:"jobs" doc:"jobs that did all their work" none:"-1: written by an earlier version"`
	Unfinished   int64   `col:"unfinished" unit:"jobs" doc:"jobs not finished when the run ended (until_s), the ones not yet submitted among them"`
	Refused      int64   `col:"refused" unit:"jobs" doc:"jobs that this cluster can never hold, refused when they arrive"`
	Rejected     int64   `col:"rejected,later" unit:"jobs" doc:"jobs turned away by the policy's own admission" none:"-1: written by an earlier version"`
	FinishedSet  string  `col:"finished_set,later" unit:"hash" doc:"hash of the finished jobs' names where not all finished; rows with different hashes have means over different jobs" none:"empty: all jobs finished"`
	JCTMean      float64 `col:"jct_mean_s" unit:"s" doc:"completion time (end - submit) of finished jobs: mean" none:"NaN: no job finished"`
	JCTP50       float64 `col:"jct_p50_s" unit:"s" doc:"completion time of finished jobs: median" none:"NaN: no job finished"`
	JCTP95       float64 `col:"jct_p95_s" unit:"s" doc:"completion time of finished jobs: 95th percentile" none:"NaN: no job finished"`
	JCTP99       float64 `col:"jct_p99_s" unit:"s" doc:"completion time of finished jobs: 99th percentile" none:"NaN: no job finished"`
	QueueMean    float64 `col:"queue_mean_s" unit:"s" doc:"time in the system without GPUs, of finished jobs: mean" none:"NaN: no job finished"`
	QueueP50     float64 `col:"queue_p50_s" unit:"s" doc:"time without GPUs of finished jobs: median" none:"NaN: no job finished"`
	QueueP95     float64 `col:"queue_p95_s" unit:"s" doc:"time without GPUs of finished jobs: 95th percentile" none:"NaN: no job finished"`
	QueueP99     float64 `col:"queue_p99_s" unit:"s" doc:"time without GPUs of finished jobs: 99th percentile" none:"NaN: no job finished"`
	RunMean      float64 `col:"run_mean_s,later" unit:"s" doc:"time with progress of finished jobs, later lost progress included: mean" none:"NaN: no job finished, or written by an earlier version"`
	OverheadMean float64 `col:"overhead_mean_s,later" unit:"s" doc:"time with GPUs and without progress of finished jobs: mean; queue + run + overhead means add up to jct_mean_s" none:"NaN: no job finished, or written by an earlier version"`
	LostMean     float64 `col:"lost_mean_s,later" unit:"s" doc:"part of the running time whose progress faults and kills threw away, of finished jobs: mean" none:"NaN: no job finished, or written by an earlier version"`
	SlowdownMean float64 `col:"slowdown_mean" unit:"ratio" doc:"completion time / time alone on ideally placed GPUs, of finished jobs: mean" none:"NaN: no job finished"`
	SlowdownP50  float64 `col:"slowdown_p50" unit:"ratio" doc:"slowdown of finished jobs: median" none:"NaN: no job finished"`
	SlowdownP95  float64 `col:"slowdown_p95" unit:"ratio" doc:"slowdown of finished jobs: 95th percentile" none:"NaN: no job finished"`
	SlowdownP99  float64 `col:"slowdown_p99" unit:"ratio" doc:"slowdown of finished jobs: 99th percentile" none:"NaN: no job finished"`
	BSLDMean     float64 `col:"bsld_mean,later" unit:"ratio" doc:"bounded slowdown of finished jobs, max(1, completion time / max(time alone on ideally placed GPUs, 10 s)): mean" none:"NaN: no job finished, or written by an earlier version"`
	Makespan     float64 `col:"makespan_s" unit:"s" doc:"last end - first submit; with unfinished jobs the end of the run - first submit" none:"NaN: no job came into the cluster"`
	CommMean     float64 `col:"comm_mean_s" unit:"s" doc:"exposed communication per finished job: mean" none:"NaN: no job finished"`
	CommFrac     float64 `col:"comm_frac" unit:"0..1" doc:"exposed communication / running time, sums over finished jobs" none:"NaN: no job finished"`
	GPUUtil      float64 `col:"gpu_util_frac" unit:"0..1" doc:"GPU-seconds held / GPU-seconds there until the makespan, by all jobs; with services by replicas too, until the end of the run" none:"NaN: no job came into the cluster"`
	Preemptions  int64   `col:"preemptions" unit:"count" doc:"preemptions of all jobs, unfinished ones too"`
	Migrations   int64   `col:"migrations" unit:"count" doc:"migrations of all jobs, unfinished ones too"`
	Faults       int64   `col:"faults,later" unit:"count" doc:"interruptions by faults of all jobs, unfinished ones too" none:"-1: written by an earlier version"`
	OverloadGPUs float64 `col:"overload_gpus,later" unit:"GPUs" doc:"overloaded: the queue grows until the last arrival; GPUs that the jobs in the system then ask for beyond the cluster's. 0: it does not grow, or fewer than 100 arrivals" none:"NaN: written by an earlier version"`
	Fairness     float64 `col:"fairness" unit:"0..1" doc:"Jain's index over the slowdowns of finished jobs: 1/n (one job suffers) to 1 (all equal)" none:"NaN: no job finished"`
	Knows        string  `col:"knows,later" unit:"text" doc:"what the policy knows of jobs: some of done, estimate, work (what is left: clairvoyant; so are exact estimates), history, speed, joined by +" none:"empty: written by an earlier version"`

	ConfigSHA256   string `col:"config_sha256" unit:"hash" doc:"SHA-256 of the resolved configuration, which is in the file's metadata" none:"empty: nothing was written to a folder"`
	WorkloadSHA256 string `col:"workload_sha256" unit:"hash" doc:"SHA-256 of the jobs: rows with the same hash ran the same jobs" none:"empty: not computed"`
	Version        string `col:"version" unit:"text" doc:"version of the program" none:"empty: not known"`
}

// SameJobs reports whether the means of two rows are over the same jobs of one workload. Rows of
// earlier versions, which do not state which jobs finished, count as such when nothing was left
// unfinished: what is refused follows from the cluster.
func (s *Summary) SameJobs(o *Summary) bool {
	if s.Jobs != o.Jobs {
		return false
	}
	if s.Finished < 0 || o.Finished < 0 {
		return s.Unfinished == 0 && o.Unfinished == 0 && s.Refused == o.Refused
	}
	return s.Finished == o.Finished && s.FinishedSet == o.FinishedSet
}

// Trial is one row of the table trials: one run of one policy on one workload.
type Trial struct {
	Keys
	Summary
}

// Eval is one row of the table evals: a frozen agent, a tuned scheduler or a baseline on a held-out
// workload.
type Eval struct {
	Keys
	Agent            string `col:"agent" unit:"text" doc:"what the agent or tuned scheduler is, in full" none:"empty: a baseline"`
	TrainSeed        uint64 `col:"train_seed,later,signed" unit:"integer" doc:"seed of the training, or of the search that tuned it" none:"-1: a baseline, or written by an earlier version"`
	CheckpointSHA256 string `col:"checkpoint_sha256,later" unit:"hash" doc:"SHA-256 of the checkpoint, or of what tuning chose" none:"empty: a baseline, or written by an earlier version"`
	Summary
	Cost     float64 `col:"cost,later" unit:"cost_name" doc:"cost of the window in an environment outside the simulator, lower is better" none:"NaN: over the simulator, or written by an earlier version"`
	CostName string  `col:"cost_name,later" unit:"text" doc:"what cost is, with its unit last" none:"empty: over the simulator, or written by an earlier version"`
}

// Job is one row of the table jobs. JCT = Queue + Run + Overhead, exactly in microseconds, for a
// finished job.
type Job struct {
	Keys
	ID          string  `col:"job" unit:"text" doc:"name of the job in the trace"`
	Outcome     string  `col:"outcome,later" unit:"text" doc:"finished, unfinished (the run ended before), refused (the cluster can never hold it) or rejected (by the policy's admission)" none:"empty: written by an earlier version"`
	Submit      float64 `col:"submit_s" unit:"s" doc:"when the job comes"`
	Start       float64 `col:"start_s" unit:"s" doc:"first allocation" none:"NaN: it never had GPUs"`
	End         float64 `col:"end_s" unit:"s" doc:"when it finished" none:"NaN: it did not finish"`
	JCT         float64 `col:"jct_s" unit:"s" doc:"completion time, end - submit = queue + run + overhead" none:"NaN: it did not finish"`
	Queue       float64 `col:"queue_s" unit:"s" doc:"time in the system without GPUs; of an unfinished job until the end of the run" none:"NaN: it never came into the cluster"`
	Run         float64 `col:"run_s" unit:"s" doc:"time with GPUs and progress = compute + comm; lost_s is part of it" none:"NaN: it never came into the cluster"`
	Compute     float64 `col:"compute_s" unit:"s" doc:"part of run_s outside exposed communication" none:"NaN: it never came into the cluster"`
	Comm        float64 `col:"comm_s" unit:"s" doc:"part of run_s in exposed communication" none:"NaN: it never came into the cluster"`
	Overhead    float64 `col:"overhead_s" unit:"s" doc:"time with GPUs and without progress: start, restore, checkpoint, migration, resize, lease renewal, a start's delay; not work lost to faults and kills" none:"NaN: it never came into the cluster"`
	Lost        float64 `col:"lost_s,later" unit:"s" doc:"part of run_s whose progress faults and kills threw away: back to the last checkpoint; done again in run_s" none:"NaN: it never came into the cluster, or written by an earlier version"`
	GPUs        int64   `col:"gpus" unit:"GPUs" doc:"GPUs that it asks for"`
	Model       string  `col:"model" unit:"text" doc:"model of the network" none:"empty: unknown"`
	User        string  `col:"user" unit:"text" doc:"user in the trace" none:"empty: unknown"`
	VC          string  `col:"vc" unit:"text" doc:"virtual cluster in the trace" none:"empty: unknown"`
	Tier        string  `col:"tier" unit:"text" doc:"finest level whose one unit held its last allocation: gpu, slot, machine, rack or network" none:"empty: it never had GPUs"`
	Preemptions int64   `col:"preemptions" unit:"count" doc:"how often it was preempted"`
	Migrations  int64   `col:"migrations" unit:"count" doc:"how often it was moved"`
	Faults      int64   `col:"faults" unit:"count" doc:"how often a fault interrupted it"`
	Allocations int64   `col:"allocations" unit:"count" doc:"how often it got GPUs"`
	// Allocations by the finest level whose one unit held them.
	AllocSlot    int64   `col:"alloc_slot" unit:"count" doc:"allocations within one GPU or slot"`
	AllocMachine int64   `col:"alloc_machine" unit:"count" doc:"allocations within one machine, not one slot"`
	AllocRack    int64   `col:"alloc_rack" unit:"count" doc:"allocations within one rack, not one machine"`
	AllocNetwork int64   `col:"alloc_network" unit:"count" doc:"allocations over racks"`
	Slowdown     float64 `col:"slowdown" unit:"ratio" doc:"completion time / time alone on ideally placed GPUs" none:"NaN: it did not finish"`
	State        string  `col:"state" unit:"text" doc:"how the job ended in the trace, in the trace's words" none:"empty: unknown"`
	Drawn        string  `col:"drawn" unit:"text" doc:"fields that a rule filled in because the trace has none, as model+user" none:"empty: none"`
}

// Interval is one row of the table intervals: one job on one set of GPUs at one rate.
type Interval struct {
	Keys
	Job         string  `col:"job" unit:"text" doc:"name of the job in the trace"`
	Start       float64 `col:"start_s" unit:"s" doc:"when the GPUs were given"`
	End         float64 `col:"end_s" unit:"s" doc:"when they were given back"`
	Tier        string  `col:"tier" unit:"text" doc:"finest level whose one unit held the GPUs"`
	Machines    int64   `col:"machines" unit:"machines" doc:"machines that the GPUs lie on"`
	GPUs        int64   `col:"gpus" unit:"GPUs" doc:"GPUs held"`
	Rate        float64 `col:"rate" unit:"ratio" doc:"mean progress while running, relative to one reference GPU; 0 when it never ran"`
	ComputeFrac float64 `col:"compute_frac" unit:"0..1" doc:"1 - share of the running time in exposed communication"`
	GPUList     string  `col:"gpu_list" unit:"text" doc:"numbers of the GPUs as ranges: 0-7,12"`
	GPUType     string  `col:"gpu_type,later" unit:"text" doc:"type of the GPUs; several types in the order of the alphabet, joined by +" none:"empty: the reference type, which has no name, or written by an earlier version"`
	ShareMilli  int64   `col:"share_milli" unit:"1/1000" doc:"part of each GPU; 1000 = the complete GPU"`
	Reason      string  `col:"reason" unit:"text" doc:"why it ended: finish, preempt (or a kill), migrate, resize, fault, horizon (the end), tune (it continues with another share, clock, batch, CPU or memory), mark (at another speed) or out-of-memory"`
}

// Sample is one row of the table cluster: the cluster's state from Time on.
type Sample struct {
	Keys
	Time     float64 `col:"time_s" unit:"s" doc:"time of the sample; the spacing grows with the length of the run"`
	Busy     int64   `col:"gpus_busy" unit:"GPUs" doc:"GPUs that jobs hold"`
	Free     int64   `col:"gpus_free" unit:"GPUs" doc:"GPUs that can be given out"`
	Down     int64   `col:"gpus_down" unit:"GPUs" doc:"GPUs out of service"`
	Waiting  int64   `col:"jobs_waiting" unit:"jobs" doc:"jobs without GPUs"`
	Running  int64   `col:"jobs_running" unit:"jobs" doc:"jobs with GPUs"`
	Frag     float64 `col:"frag_frac" unit:"0..1" doc:"free GPUs on partly used machines / free GPUs; 0 when none is free"`
	LinkUtil float64 `col:"link_util" unit:"0..1" doc:"use of the uplinks, mean" none:"NaN: the speed model has no shared links"`
}

// PowerSample is one row of the table power: what the cluster draws from Time until the next row's. The
// last one is the end of the run.
type PowerSample struct {
	Keys
	Time   float64 `col:"time_s" unit:"s" doc:"beginning of a stretch that ends at the next row's, the last row the end of the run; the length grows with the length of the run"`
	Off    float64 `col:"off_w" unit:"W" doc:"machines that are off: mean; 0 in the last row, as the others"`
	Boot   float64 `col:"boot_w" unit:"W" doc:"machines that boot, with the energy of switching off and on: mean"`
	Idle   float64 `col:"idle_w" unit:"W" doc:"machines that are on or shut down and their GPUs, as they draw without use: mean"`
	Busy   float64 `col:"busy_w" unit:"W" doc:"what the use of GPUs adds: mean"`
	Max    float64 `col:"max_w" unit:"W" doc:"the most that all draw together at a time"`
	Price  float64 `col:"price" unit:"1/kWh" doc:"price of energy at the beginning" none:"NaN: the run states none"`
	Carbon float64 `col:"carbon_g_kwh" unit:"g/kWh" doc:"carbon intensity at the beginning" none:"NaN: the run states none"`
	Cap    float64 `col:"cap_w" unit:"W" doc:"the most that the cluster should draw, at the beginning" none:"NaN: the run states none"`
}

// ServiceSample is one row of the table services: what a service did from Time until the next row's, or
// the end of the run.
type ServiceSample struct {
	Keys
	Service  string  `col:"service" unit:"text" doc:"name of the service"`
	Time     float64 `col:"time_s" unit:"s" doc:"beginning of a stretch that ends at the service's next row, the last one at the end of the run; the length grows with the length of the run"`
	Load     float64 `col:"load_per_s" unit:"1/s" doc:"requests that arrive: mean"`
	Capacity float64 `col:"capacity_per_s" unit:"1/s" doc:"requests that the replicas can serve: mean"`
	Replicas float64 `col:"replicas" unit:"replicas" doc:"replicas that serve: mean"`
	Backlog  float64 `col:"backlog" unit:"requests" doc:"requests that wait: mean"`
	Attained float64 `col:"attained_frac" unit:"0..1" doc:"requests of the stretch that are answered in time; 1 where none arrived"`
	Lent     float64 `col:"lent_gpus" unit:"GPUs" doc:"GPUs of machines of the services that are lent to training: mean"`
}

// Prediction is one row of the table predictions: how well the run's predictor foretold the run
// times of a trial's jobs, each at its submit from what had ended by then. A run time is that on
// the GPUs asked for at full speed.
type Prediction struct {
	Keys
	Predictor  string  `col:"predictor" unit:"text" doc:"predictor with its options, as it was given"`
	Jobs       int64   `col:"jobs" unit:"jobs" doc:"jobs that were predicted: jobs that came and that the cluster can hold"`
	R2         float64 `col:"r2" unit:"ratio" doc:"part of the variance of log run time that predicted medians explain; below 0 where one constant would do better" none:"NaN: no job was predicted"`
	LogRunMean float64 `col:"log_run_mean" unit:"ratio" doc:"natural log of run time in seconds: mean" none:"NaN: no job was predicted"`
	LogRunSD   float64 `col:"log_run_sd" unit:"ratio" doc:"its standard deviation" none:"NaN: no job was predicted"`
	ErrorMean  float64 `col:"error_mean" unit:"ratio" doc:"natural log of run time / predicted median: mean; above 0 where run times are underestimated" none:"NaN: no job was predicted"`
	ErrorSD    float64 `col:"error_sd" unit:"ratio" doc:"its standard deviation: the spread left" none:"NaN: no job was predicted"`
	SpreadMean float64 `col:"spread_mean" unit:"ratio" doc:"standard deviation of log run time that the predicted laws state: mean" none:"NaN: no job was predicted"`
	Below50    float64 `col:"below_p50_frac" unit:"0..1" doc:"jobs that ran no longer than the predicted median, 0.5 if calibrated; the others are underestimated" none:"NaN: no job was predicted"`
	Below90    float64 `col:"below_p90_frac" unit:"0..1" doc:"jobs that ran no longer than the predicted 90 % quantile, 0.9 if calibrated" none:"NaN: no job was predicted"`
}

// Curve is one row of the table curves: one training update.
type Curve struct {
	Keys
	Agent      string  `col:"agent" unit:"text" doc:"name of the agent"`
	Update     int64   `col:"update,delta" unit:"count" doc:"updates up to and with this one"`
	EnvSteps   int64   `col:"env_steps,delta" unit:"steps" doc:"environment steps up to and with this update"`
	Episodes   int64   `col:"episodes,delta" unit:"count" doc:"episodes that ended up to and with this update"`
	ReturnMean float64 `col:"return_mean" unit:"reward" doc:"return of the episodes that ended since the update before: mean" none:"NaN: no episode ended"`
	ReturnStd  float64 `col:"return_std" unit:"reward" doc:"their standard deviation" none:"NaN: no episode ended"`
	LossPolicy float64 `col:"loss_policy" unit:"loss" doc:"loss of the policy" none:"NaN: the agent has none"`
	LossValue  float64 `col:"loss_value" unit:"loss" doc:"loss of the value function" none:"NaN: the agent has none"`
	Entropy    float64 `col:"entropy" unit:"nat" doc:"entropy of the policy" none:"NaN: the agent has none"`
	KL         float64 `col:"kl" unit:"nat" doc:"divergence of the new policy from the old" none:"NaN: the agent has none"`
	ClipFrac   float64 `col:"clip_frac" unit:"0..1" doc:"share of samples at which the ratio was clipped" none:"NaN: the agent has none"`
	ExplVar    float64 `col:"explained_variance" unit:"ratio" doc:"share of the returns' variance that the value function explains, at most 1" none:"NaN: the agent has none"`
	LR         float64 `col:"lr" unit:"ratio" doc:"learning rate" none:"NaN: the agent has none"`
	Validation float64 `col:"validation_return" unit:"reward" doc:"mean return on validation after the update" none:"NaN: not measured at this update"`
}

// Timing is one row of the table timing, the only one that wall clocks reach: of a trial, or of an
// update of a training.
type Timing struct {
	Keys
	Wall         float64 `col:"wall_s" unit:"s" doc:"wall time of the trial, or of the update with what came before it: validation, a checkpoint" none:"NaN: not measured"`
	Events       int64   `col:"events" unit:"count" doc:"kernel events; 0 when an earlier run's results were taken" none:"-1: a training"`
	EventsPerS   float64 `col:"events_per_s" unit:"1/s" doc:"kernel events per second of wall time" none:"NaN: not measured"`
	EnvStepsPerS float64 `col:"env_steps_per_s" unit:"1/s" doc:"environment steps per second of wall time" none:"NaN: not measured"`
	PeakRSS      int64   `col:"peak_rss_bytes" unit:"bytes" doc:"largest memory of the program so far" none:"-1: not measured"`
	Update       int64   `col:"update,later" unit:"integer" doc:"update of a training, from 1" none:"-1: a trial"`
	EnvSteps     int64   `col:"env_steps,later" unit:"steps" doc:"environment steps of a training up to and with the update" none:"-1: a trial"`
	Plans        int64   `col:"plans,later" unit:"count" doc:"comparisons by the planner of the policy (ranked:rollout)" none:"-1: a training, or a policy that has no planner"`
	Planned      int64   `col:"planned_instants,later" unit:"count" doc:"instants that its comparisons played" none:"-1: a training, or a policy that has no planner"`
	Unix         float64 `col:"unix_s,later" unit:"s" doc:"when the update ended, in seconds since 1970 UTC" none:"NaN: not recorded"`
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
func (PowerSample) Table() string { return "power" }

// Table names the table.
func (ServiceSample) Table() string { return "services" }

// Table names the table.
func (Prediction) Table() string { return "predictions" }

// Table names the table.
func (Curve) Table() string { return "curves" }

// Table names the table.
func (Timing) Table() string { return "timing" }
