// Package gavel is Gavel: "Heterogeneity-Aware Cluster Scheduling Policies for Deep Learning
// Workloads", D. Narayanan, K. Santhanam, F. Kazhamiaka, A. Phanishayee, M. Zaharia, OSDI 2020.
// docs/schedulers/gavel.md states how to run it and what was compared.
//
// # The algorithm
//
//  1. Throughputs T_mj (section 3.1): the steps per second of job m on type j, as the speed model predicts them for GPUs of one type placed as well as an
//     empty cluster can; asked once for each kind of job (rates.go); of pairs, for each two kinds.
//  2. An objective (section 4) gives each job fractions x_mj of its time on each type: package objective, one file each; shares.go writes the problem
//     down. It is solved again at the end of a round if jobs came or went, at most every recompute_s.
//  3. Rounds (section 5): at the end of each, every type in turn takes the jobs by priority x_mj / f_mj, where f_mj is the job's part of the time
//     that the type has given since the last computation, and ties go to what is owed from before (plan.Rounds). A job that does not fit blocks no other.
//     With packing (section 4.4) pairs of jobs on the same GPUs are rows too (pairs.go). Their throughputs are what the speed model predicts for the two, 0 where the memory of the
//     GPUs does not hold both (the jobs' memory is known beforehand, as their throughputs are); a job is in one row of a round at most, and its time in a pair counts for the pair alone.
//  4. Placement (section 5): a job that keeps its type keeps its GPUs, and its lease is renewed; then the widest first, consolidated (place.go).
//
// # Ours
//
// The native rounds (native.go) are fluid: a job runs to the end of the round, and one that ends
// before frees its GPUs at once for the next jobs. A job that no type can hold gets GPUs of several
// for an equal share of the time. A job that had a place and found no machine with CPU and memory
// for it has a type for itself in every fourth such round. A job for a share of a GPU has one
// alone. Where a preempted job still writes its checkpoint, the job that has the place waits, and
// its GPUs are kept for it. When jobs that run owe no time elsewhere and no job waits, no round
// ends.
//
// Gavel's simulator has habits beside the algorithm: gavel-sim follows it (fidelity/gavelsim), on
// the same Book. Of the optima of agnostic objectives (those use no speeds by type) even.go takes
// the even one.
//
// Not published, and so ours: the order of columns in ties. Not in it: estimates of throughputs
// from other jobs.
//
// # Reading guide
//
// book.go has the jobs and what is kept of them (member.go; account.go for those outside), rates.go
// throughputs, shares.go and even.go the fractions, pairs.go space sharing. Over it stands the
// policy: gavel.go, config.go its settings, native.go rounds, types.go the order of types in them
// (the fastest first, and shuffled for agnostic objectives), place.go who gets which GPUs,
// clone.go snapshots.
package gavel
