// Package ones is ONES: Z. Bian, S. Li, W. Wang and Y. You, "Online Evolutionary Batch Size
// Orchestration for Scheduling Deep Learning Workloads in GPU Clusters", SC 2021, arXiv 2108.03645.
// It searches all the time for a better schedule, which is a list of GPU slots with a job on each,
// and lets jobs start small and double.
//
//  1. Progress. The part of a job's samples that is processed is Beta(a, b): a is the epochs it has trained, b is learned from jobs that have ended, by a small network (package
//     progress). A draw p of that law states what is left: y (1/p - 1) samples of a job that has processed y. Jobs with fewer than two epochs (wait) are not judged.
//  2. Limits (limits.go). A new job starts with its least count. A running job that has as many GPUs as its limit and has trained two epochs since its size last changed
//     doubles its limit. The largest job, if it has half of the cluster and ran longer than the median, shrinks. A preempted job that finds no place halves what it resumes with.
//  3. Search (package evolve). A population of schedules is refreshed, crossed, mutated and repaired; the score of a schedule is the sum of y (1/p - 1) n / T(n) over its jobs, with
//     n GPUs and a throughput of T(n).
//  4. Application (apply.go). The best schedule comes into force if every running job that it changes has trained an epoch since it was last placed. Else the present one
//     stays, and jobs start whose GPUs in the best schedule are all free.
//  5. Batch. The batch of a job grows with its GPUs, so that each GPU keeps its own (weak scaling): Knobs.Batch.
//
// T(n) is what a job has measured on each count, the mean of the last five epochs there; between
// two counts it is interpolated, beyond them it is on the line through the two nearest.
//
// Reading guide: policy.go events and the order of a decision; life.go what is known of a job,
// speeds.go its throughput; pool.go the jobs and slots of a GPU type; limits.go; apply.go.
//
// # What is ours
//
//   - The authors' program makes a generation every second. Here some generations (generations)
//     follow an arrival, an end or the end of an epoch, at most once in a while (every).
//   - Epochs end at the marks of the speed model (sim.Progressive), samples and throughput are its
//     telemetry. Where it has none an epoch is a fixed amount of work (epoch_s), of which a job
//     that has had 64 is looked at every second one, and so on, and samples are work.
//   - Of the five features of a prediction the accuracy is not known; the GPUs asked for take its
//     place, and epochs count by their logarithm. A loss that is not known is 0.
//   - An extrapolated throughput is at most in proportion to the GPUs, and on fewer GPUs at least.
//   - Counts stay in a job's range and are multiples of its worker; schedules never have fewer. A
//     stalled job does not hold a switch up.
//   - A job that names no GPU type joins that with the fewest GPUs asked of it, for its size. Jobs
//     that ask for shares of GPUs, CPU or memory, or for more GPUs than a type has, are served
//     apart, with what is free. Blocks of slots become GPUs where all jobs ask for whole GPUs of
//     one type; else, and with place=near, the counts alone count and plan.Sizer places them.
//   - Limits of the batch are the speed model's; where it has none the batch stays, as nothing
//     would show the gain of a larger one.
package ones
