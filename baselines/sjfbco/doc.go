// Package sjfbco is SJF-BCO (smallest job first with balanced contention and overhead): M. Yu, Y.
// Tian, B. Ji, C. Wu, H. Rajan and J. Liu, "On Scheduling Ring-All-Reduce Learning Jobs in
// Multi-Tenant GPU Clusters with Communication Contention", MobiHoc 2022 (arXiv 2207.07817). A
// batch of jobs is planned as a whole, so that its makespan under contention is least; nothing is
// preempted or moved.
//
//  1. Jobs by number of GPUs, the smallest first, then by arrival.
//  2. For each kappa: a job of at most kappa GPUs takes the GPUs that are free first, by index among equals, so that leftovers are filled; a larger job takes
//     GPUs machine by machine, machines of least mean load first. The load of a GPU is the estimated end of the jobs planned on it, an estimate the time of
//     a job alone on its GPUs.
//  3. A limit theta on the loads, by bisection between the longest estimate and the last end without a limit: GPUs that a job would take beyond it are
//     passed over, and a kappa that exceeds it has no plan.
//  4. Each plan is played (play.go): a job starts when its GPUs are free of the jobs before it, and while k jobs are on its busiest link it has
//     1/(k + alpha (k-1)) of it. The plan with the least makespan is kept.
//
// # What is theirs and what is ours
//
// The paper was at hand as far as its abstract, which states the aim, the analytical model of
// contention and overhead, and non-preemptive gangs. The formula of the iteration, 1 to 4, and that
// k counts jobs on several servers alone are from general knowledge of the paper; the order inside
// step 2, and by which load it goes, are a reading of it. Ours:
//
//   - The batch. In the kernel jobs come one by one: the jobs that wait are the batch at each
//     event at which some of them could start, the jobs that run are in the plan with their
//     predicted ends, and jobs whose GPUs are free at once start. The next event plans anew.
//   - batch bounds the jobs of a plan for each GPU type that is asked for; the largest wait outside.
//   - Speeds, links and the split of an iteration are the speed model's. Where no links are shared
//     k is 1: then a plan differs from list scheduling by kappa and theta alone.
//   - Plans of equal makespan, which are many while a long job runs, are compared by the sum of
//     the ends; goal=mean puts that first.
//   - steps, the end of the bisection. The estimate that theta is compared with before the GPUs
//     are chosen is the estimate of the plan without a limit.
//   - A job that asks for CPU or memory and has no room on its planned GPUs goes where it finds
//     room. Jobs that share a GPU are in no plan: they start where they fit.
//
// Reading guide: policy.go sees the cluster and starts jobs, planner.go has steps 2 and 3, play.go
// step 4, task.go what a job costs on some GPUs.
package sjfbco

// Params describes the settings for the catalogue.
const Params = `alpha  k jobs on a link have 1/(k + alpha (k-1)) of it each, in plans; the run's speed model has its own
steps  halvings of the range in which the limit of a GPU's planned time is looked for; 0 = no limit
goal   makespan: the last end of a plan counts | mean: the sum of the ends
batch  most waiting jobs in a plan, of each GPU type asked for: the smallest
by     work: the true work left (clairvoyant) | estimate: the estimated one, of --predict or --estimate-error`
