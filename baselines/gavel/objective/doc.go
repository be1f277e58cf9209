// Package objective holds the allocation problems of Gavel: "Heterogeneity-Aware Cluster Scheduling
// Policies for Deep Learning Workloads", D. Narayanan, K. Santhanam, F. Kazhamiaka, A. Phanishayee,
// M. Zaharia, OSDI 2020. Each is a pure function from the active jobs to the fractions of time that
// they should spend on each type of GPU; rounds are cut from the fractions elsewhere.
//
// The symbols are the paper's: M jobs, J types, T_mj the steps/s of job m on type j, s_m its
// GPUs, w_m its weight, N_j the GPUs of type j, and x_mj in [0, 1] the fraction of time that job m
// runs on type j. Every allocator keeps
//
//	sum_j x_mj <= 1 for every job,  sum_m s_m x_mj <= N_j for every type
//
// where a job's sum also has the rows of the pairs in which it takes part.
//
// What the objectives of section 4 are here:
//
//   - isolated.go, fifo.go: the baselines "an equal share of everything" and "first come, first
//     served on the fastest type".
//   - maxmin.go: max-min fairness ("LAS"), over rates as parts of those on an equal share.
//   - makespan.go: the smallest makespan, exactly, or with Gavel's bisection, which stops within 5
//     %.
//   - finish.go: finish-time fairness (Themis' rho), for remaining work and time already spent.
//   - throughput.go: the sum of rates, for the money, and with SLOs, which are all dropped when
//     they cannot all be kept.
//   - hierarchical.go: entities with weights, and fairness or first-come in each, by water filling.
//   - packed.go: four of these with pairs of jobs on the same GPUs (space sharing).
//   - allox.go: Gavel's version of AlloX, a matching.
//
// How they are solved: max-min, makespan and finish-time fairness all ask for the largest level q
// at which each job can have the rate that it needs (level.go). For a fixed q a job has few
// cheapest ways to its rate, so the problem is one of package internal/choice with a row for each
// type, and its prices of GPUs lead to the next q. Equal jobs are one group (crew.go). The level is
// exact to about 1e-11.
//
// Optima are not unique. What the paper leaves open is ours: whatever a level leaves over goes to
// the largest sum of rates, each as a part of what its job needs (fill.go), so that answers are
// Pareto efficient; equal jobs get equal fractions where they have equal needs; where all jobs are
// equally fast on all types, each job's time is spread over the types in proportion to their GPUs.
// The paper finds the bottlenecks of water filling with an integer program; hierarchical.go states
// why prices do.
//
// What an allocator keeps between calls are the prices of its last solve, where the next starts. So
// answers depend on the calls before, and a clone, which has the prices, gives the same bits.
//
// Reading guide: input.go has the problem and the matrix of the answer, allocator.go the interface
// and the list of all allocators, level.go with crew.go and fill.go the solver of levels; then one
// file for each objective.
package objective
