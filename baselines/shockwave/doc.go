// Package shockwave is Shockwave: "Shockwave: fair and efficient cluster scheduling for dynamic
// adaptation in machine learning", P. Zheng, R. Pan, T. Khan, S. Venkataraman, A. Akella, NSDI 2023.
// docs/schedulers/shockwave.md states how to run it and what was compared.
//
// # The algorithm
//
// Time goes in rounds of round_s. A window plans the next future_rounds of them; a new one is
// solved when jobs came or went, and every reopt_rounds.
//
//  1. Run times (runtime.go): the batch size of each of a job's epochs is taken as drawn from a categorical law with a Dirichlet prior of equal parts; with
//     the epochs seen the posterior predicts how many of the rest have each size, and so how long they take. Lengths of epochs are corrected
//     where measurements differ by more than 40 %.
//  2. Targets (target.go): when a job would finish with an equal share min(1, GPUs / jobs) of the cluster from its arrival on, estimated anew when jobs come
//     or go; used is momentum x the time-weighted mean of the estimates + (1 - momentum) x the latest.
//  3. The window (window.go, package market): the jobs of each round such that the sum of the logarithms of progress, less k x the largest remaining time,
//     is largest, and every job can meet rhomax x its target with an equal share after the window.
//  4. Where the targets cannot be met they are dropped, and the logarithm of a job that is behind by a ratio rho > rhomax counts rho^lambda times, rho^100 times where it
//     would end within a round; rounds are then ordered so that such jobs run early.
//  5. Idle GPUs of a round go to jobs that are not in it, jobs with the longest remaining time first.
//
// # Ours
//
// Weights are bounded by 1e12, beyond which the other jobs are lost in rounding. Windows are solved
// by package market in place of a general solver, and ordered in the same way where the targets are
// met, where the published order is whatever the solver gives. In native rounds GPUs that come free
// inside a round go to jobs that wait, and no round ends while every job runs. Of a job's batch
// sizes the first and the largest are known, others when they are seen; a job whose epochs the
// speed model does not have has parts of equal length. The length of an epoch is that on GPUs
// placed as well as an empty cluster can.
//
// The authors' simulator has habits beside the algorithm: shockwave-sim follows it
// (fidelity/shockwavesim), a Program under this policy. policy=max-min and gandiva-fair are the fair
// schedulers of that simulator (shares.go).
//
// # Reading guide
//
// policy.go has rounds, program.go what another program may do otherwise, job.go what is kept of a
// job, config.go the settings; market/ solves windows; clone.go snapshots.
package shockwave
