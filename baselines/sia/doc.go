// Package sia is Sia (Jayaram Subramanya et al., "Sia: heterogeneity-aware, goodput-optimized
// ML-cluster scheduling", SOSP 2023): each round it chooses for each job one configuration, a
// number of GPUs of one type, such that normalised goodputs add up to the best.
//
//  1. What a job may have (types.go, member.go). Of each type powers of two up to a machine, then whole machines. A job of a fixed number has that number on each
//     type. A job has at most twice the GPUs on which it was measured, on whatever type.
//  2. Goodput (profile.go, rates.go). The model of Pollux, with parameters for each type, fitted to step times (baselines/fit). Before a job starts it is measured on
//     one GPU of each type. A type on which it never had several GPUs gets the rate of another type, times the ratio of the two on one GPU; a job that
//     never had several is taken to lose nothing by them.
//  3. The choice (package ilp). Rows are normalised by their smallest entry and lowered by the restart factor but where the job is. Jobs that are
//     restarting are pinned.
//  4. Placement (place.go, evict.go). Jobs whose configuration stays keep their GPUs. Jobs of whole machines take free ones from the high end, where small jobs are
//     evicted if it must be; smaller jobs go where they fit best from the low end, the largest first, and evict smaller ones.
//  5. Batches (tune.go) have the best modelled goodput, each round and at marks of progress.
//
// Three kinds of jobs. A job with one number of GPUs is rigid: only its type is chosen. An elastic
// job is adaptive, its batch is chosen too, where the speed model states within which limits
// (JobInfo.Batches); else its numbers alone change, and setting kind makes that so for all.
//
// # What is ours
//
//   - Where the speed model gives no telemetry, goodput is speed on the nearest GPUs, as
//     sim/plan.Curves has it: Sia's choice without its estimates.
//   - Measuring before the start costs no time, and takes six batches. The noise of gradients is
//     not known before a job runs: it then has its least batch.
//   - Of choices that are equally good one is taken in which jobs stay where they are.
//   - Numbers that no configuration has (three GPUs, a range from 5 to 7) get one; a job that no
//     type can hold has all its GPUs of several types.
//   - A choice that cannot be placed, because of failed GPUs or of CPU and memory, is barred for
//     its job until another ends or all are barred. Jobs that share a GPU get a whole one.
//   - The paper's pipeline-parallel jobs are not modelled, and the authors' simulator divides
//     goodputs by factors that make it agree with a testbed: not here.
package sia
