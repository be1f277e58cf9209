// Package measured has the two speed models of measured throughputs, gavel (below) and elasticflow
// (at the end).
//
// gavel is throughputs that were measured, by model (with its batch size), number of GPUs and GPU
// type, as Gavel's authors published theirs (Narayanan et al., "Heterogeneity-aware cluster
// scheduling policies for deep learning workloads", OSDI 2020). A table of one's own in the same
// form works as well.
//
// Reading guide: Table (table.go) is the data, with direct look-ups; read.go reads it from a
// folder; Model (model.go) is the sim.SpeedModel.
//
// # The folder
//
// isolated.csv is required: job_type, scale_factor (GPUs), gpu_type, steps_per_s of the whole job.
// 0 states that the job does not fit such GPUs. A gpu_type NAME_unconsolidated holds the steps of
// GPUs that are spread over servers.
//
// colocated.csv may be there: two jobs on the same GPUs. Its type_a and type_b are ids of
// job_types.csv (type_id, job_type), or names where that file is not there; scale_factor_a and
// scale_factor_b are equal; steps_per_s_a and steps_per_s_b are 0 where the pair does not run. A
// pair that stands in one order alone is known in both.
//
// Columns beyond these are not read. Files may be compressed with gzip or zstd under the same name.
//
// # From steps to rates
//
// sim counts progress in seconds of one reference GPU. A job states how long one step is on it
// (sim.Job.IterS), so that
//
//	rate = steps per second x IterS
//
// and a job with n steps, whose work is n x IterS, takes n / (steps per second). A job without
// iterations has steps of 1 / (steps per second of its model on one GPU of the reference type). The
// compute fraction is the throughput on g GPUs over g times that on one of the same type, at most
// 1: what g GPUs lose against one counts as communication.
//
// # Rules of ours
//
// A job that does not fit its GPUs has rate 0: it holds them and stands still, for ever under a
// scheduler that knows no speeds and neither preempts nor moves it. With Options.Unfit such a job
// does that part of what it does on one reference GPU, so that schedulers that are blind to types
// come to an end.
//
// GPUs of several types run at the pace of the slowest type. On an allocation over several machines
// the measurements of GPUs in one server count (Gavel's simulator does the same), or with
// Options.Spread the measurements of spread GPUs. Clocks and batches follow the common rule of
// sim/speed. Two jobs that hold the same GPUs, and no others, run as colocated.csv states, whatever
// their shares; jobs that share in any other way were not measured and do not run. Without a
// colocated.csv a job gets its share of the throughput. Speeds of GPU types that a cluster file
// states are not used: they are measured here.
//
// # elasticflow
//
// Scaling (scaling.go, scalingread.go) is throughputs by model, batch size and number of GPUs, as
// ElasticFlow's authors published theirs (Gu et al., "ElasticFlow: an elastic serverless training
// platform for distributed deep learning", ASPLOS 2023). A folder holds a file
// throughputs_TYPE_MODEL.csv for each GPU type and model. It has a row for each global_batch_size
// and a column for each number of GPUs, in iterations per second of the whole job; an empty cell,
// nan and 0 were not measured. Rates follow from iterations as above. A number of GPUs between two
// measured ones is as fast as the smaller, or, with ScalingOptions.Linear, in proportion; more than
// the largest measured are as fast as that. Where the throughput falls with more GPUs the rate
// does. GPUs of several types run at the pace of the slowest; spread GPUs were not measured, so
// that places do not matter.
package measured
