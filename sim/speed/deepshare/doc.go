// Package deepshare is the speed model of DeepShare's simulator ("Network contention-aware cluster
// scheduling with reinforcement learning", ICPADS 2023, arXiv 2310.20209; gajagajago/deepshare):
// measured samples per second, and jobs on several machines that slow one another down where they
// share one.
//
// Reading guide: Table (table.go) is the data, read from a folder; Model (model.go) is the
// sim.SpeedModel, and place.go its sim.Coupled side.
//
// # The folder
//
// isolated.csv has model, num_gpus, num_nodes and samples_per_s of the whole job. pair_ratio.csv
// has model, num_gpus, num_nodes of a job, other_model, other_num_gpus and other_num_nodes of one
// that shares a machine with it, and ratio, in (0, 1]: the throughput of the first over that alone.
// Rows are directional. Columns beyond these are not read, nor is job_length.csv of the authors,
// whose samples their traces have. Case of names does not count.
//
// # The law
//
//	throughput = isolated x ratio
//	ratio      = max(least of the pairs' ratios over the other jobs on several machines that have GPUs on one of the job's machines, floor)
//
// with floor 0.35, and 1 without such jobs and for a job on one machine, which neither slows nor is
// slowed. Progress is counted as with measured throughputs elsewhere: rate = samples per second x
// seconds of a sample on one reference GPU (Job.IterS, or Work over Iterations). A job without
// iterations has samples of which one GPU does as many per second as one of the least GPUs on the
// fewest machines that its model was measured on. The compute fraction is throughput over GPUs
// times that, at most 1, times ratio: what is lost counts as communication.
//
// # We differ
//
// In the authors' simulator a ratio never rises again while a job stays where it is, also when the
// others end; that is the option sticky. Without it, which is our default, a job recovers, as
// nothing physical keeps it slow. A snapshot holds no ratios of the past: with sticky a run that is
// resumed from one may be faster than one that is not. Rounds are the scheduler's.
//
// One machine was not measured: such a job is as fast as on the fewest machines that were. A number
// of machines between two that were counts as the larger, one beyond all as the largest; a number
// of GPUs that was not measured is an error. GPU types are equal. Shares, clocks and batches follow
// the common rule of package speed.
package deepshare
