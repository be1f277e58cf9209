// Package miger is miger-like, after B. Zhang, S. Li and Z. Li, "MIGER: Integrating Multi-Instance
// GPU and Multi-Process Service for Deep Learning Clusters", ICPP 2024 (DOI
// 10.1145/3673038.3673089). GPUs are cut into instances (MIG) that follow the jobs, and two jobs
// may share an instance (MPS).
//
//  1. Cluster. A job goes to the GPU whose best repartition gains most: to one that is idle if there is one, and else to where the sum of the jobs' values grows most.
//  2. GPU. All configurations of instances are considered, with the jobs there and the coming job in them (package layout, exact); and configurations that keep the instances in use,
//     in which the job takes an instance that fits beside them, or joins a job that is alone in one.
//  3. Instance. Two jobs share an instance if their value is predicted to be more. An online job has the least tenth of it with which it keeps its service, the
//     other the rest; two jobs of one sort have halves.
//  4. Worth. The value of an offline job is its predicted speed relative to that on a complete GPU, an online job 1 wherever it keeps at least floor of its speed, and can be nowhere else.
//     A GPU is cut anew only if gain x horizon_s is more than what that costs: each job that changes its instance, and the coming job, waits repartition_s, at its speed.
//  5. Services. A replica that holds one whole GPU which can be cut is there as a job is, alone in
//     an instance of the least profile that meets its part of the load (package layout: M/M/1 at rate
//     c/7), or of a larger one, such that the rest is best for jobs; they come by steps 1 to 4. When
//     its load needs more, the GPU is cut anew with all jobs; if that cannot be, with the jobs that
//     Shapes.Serve chooses, else with none. The others are preempted.
//
// When a job leaves, the jobs that stay are looked at in the same way, after all that wait; a job
// whose mate left has the instance to itself.
//
// # What is theirs and what is ours
//
// Of the paper only the abstract was at hand: a hierarchical scheduler of MIG partitions, of jobs
// in them and of MPS shares, for online and offline jobs; and results (completion times 36 % lower
// than a MIG-based scheduler's, 46.6 % than an MPS-based one's) that nothing here is compared with.
// The steps are a reconstruction; every formula and constant is ours.
//
//   - Online jobs are replicas of services where a run has them. A job of priority > 0 also counts
//     as online: it is dispatched first, and keeps at least floor of its speed; it evicts nothing.
//   - The replicas of a service that hold GPUs have equal parts of its load. A backlog is not looked
//     at. Where no instance meets the load the replica has all of its GPU. It waits repartition_s
//     when its instance changes, so it has a smaller one only once a job gains by that, and keeps it
//     when it is alone again. Replicas of several GPUs, or of a part of one, stay as they are.
//   - The order is by arrival, and a job that does not fit is passed over. Jobs on several GPUs
//     have idle ones; with gangs=first no later job of their GPU type takes an idle GPU while one
//     waits, but it may share one. Jobs are preempted for replicas alone, and not moved to another
//     GPU.
//   - Jobs that ask for CPU or host memory, or more memory than the largest instance has, or may
//     use several GPUs, hold a GPU uncut and alone; they keep the number that they ask for. So do
//     all jobs on machines that cannot be cut: there is no sharing there. A share that the trace
//     asks for is not looked at.
//   - Speeds are asked of the speed model once for jobs alike (model, utilisation, memory), where a
//     cluster would profile; under --interference none sharing gains nothing, and no job shares.
//   - A move that is possible only if two jobs exchange their instances at one instant is not made.
//   - A gang may be placed where a GPU has too little memory for it, in clusters whose GPUs differ
//     in that.
//
// Reading guide: policy.go events and order; kinds.go jobs that are alike, predict.go their values;
// cell.go the instances of a GPU; join.go the gain of a GPU, best.go the gain of a repartition,
// moves.go the order of its changes; services.go replicas.
package miger

// Params describes the settings for the catalogue.
const Params = `repartition_s  time for which a job waits whose instance is cut anew, s
horizon_s      time over which a repartition must gain, s
least          gain in speed of a complete GPU below which no job joins and nothing is cut anew
floor          part of its speed on a complete GPU that an online job keeps
jobs           most jobs on one GPU, 1..7
pairs          whether two jobs may share an instance
gangs          fit: a gang that does not fit is passed over | first: later jobs take no idle GPU meanwhile`
