// Package netaware is network-like, after S. Timilsina and S. Shannigrahi, "Learning to Schedule: A
// Supervised Learning Framework for Network-Aware Scheduling of Data-Intensive Workloads", SC 2025
// workshops (arXiv 2510.21419). Each job goes to the node on which a regression expects it to be
// done first:
//
//  1. Telemetry of every node is read when a job is to be placed.
//  2. A supervised model predicts the job's completion time on every node that can take it.
//  3. Nodes are ranked by that time, and the first takes the job.
//
// Reading guide: telemetry.go is what is read of a node and of a job, ridge.go the regression,
// netaware.go the policy.
//
// # What is theirs and what is ours
//
// Theirs are the three steps, for Spark jobs on Kubernetes nodes in several sites; their model is
// trained beforehand, on runs of the same jobs on every node. Ours is what a node is here (a
// machine; for gangs larger than one machine's free GPUs the machines of a rack, else any, with
// most free GPUs first), the features, and the regression: ridge, updated as each job ends with
// what was read when it started (recursive least squares), so that it is deterministic and learns
// nothing that a cluster does not see. What is regressed is by default the logarithm of the time of
// a unit of work on a GPU, GPUs / speed, as last seen before the job's end: by=time regresses the
// completion time itself, as they do, which here depends on unknown work. Before the first jobs end
// a machine is taken to be as it was (a prior). Among equals the machine with fewest free GPUs is
// taken. The queue is ours too: order of arrival, over the heads of jobs that do not fit.
package netaware

// Params describes the settings for the catalogue.
const Params = `by         speed: the time of a unit of work on a GPU is regressed | time: the completion time
ridge      weight of the penalty on the squared distance of the coefficients from their prior: a machine stays as it was
forget     part of a node's past that each new job on it replaces, 0 to 1
block      true: stop at the first job that does not fit | false: pass over it`
