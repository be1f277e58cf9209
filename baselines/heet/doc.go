// Package heet is heet-like, after Z. Mo, H. Xu and C. Xu, "Heet: Accelerating Elastic Training in
// Heterogeneous Deep Learning Clusters", ASPLOS 2024: elastic jobs on GPUs of several types, where
// one more GPU gains more for one job than to another and more on one type than on another.
//
//  1. Speeds. The throughput of a job in every configuration, a type and a number of GPUs, is predicted from few that are measured (speeds.go).
//  2. Price. The value of a configuration is = scaling efficiency x scheduling efficiency: its throughput per GPU over the best that the job has on any type,
//     times (mean attained service / (mean + the job's own)) ^ balance, which favours jobs that have had little (price.go).
//  3. Matching. In each round every job that fits by the least number of GPUs gets that number: a minimum-weight full bipartite matching of jobs to groups of GPUs
//     of one type, with 1 - value for a weight, for each group size from the largest (match.go, internal/assign).
//  4. Growth. What is left goes one step at a time to the job to which a GPU adds most: the throughput that it gains per GPU over its best, which must be at least
//     least, times the scheduling efficiency.
//  5. Trading. Two jobs with as many GPUs of different types exchange them where the sum of their values rises by more than stay.
//
// Jobs start, shrink, grow, move and stop by plan.Target. Between rounds a waiting job starts with
// its least number on the best type that has it.
//
// Reading guide: the files are named above; heet.go runs a round.
//
// # What is theirs and what is ours
//
// We know the abstract, not the formulas. Theirs: throughputs of all elastic configurations from
// few measurements by collaborative filtering in three dimensions, a price function that balances
// scaling efficiency and scheduling efficiency, minimum-weight full bipartite matching, and
// opportunistic trading of resources. Ours is every formula above and all parameters. For their
// filter over jobs, types and numbers stands the product form
//
//	T(type, n) = T(type, least) T(first type, n) / T(first type, least)
//
// of the measurements of the job's own model, through sim.View.Predict of the job alone;
// measure=all measures every configuration. A job has GPUs of one type: a synchronous gang over
// several runs at the pace of the slowest, and how their system divides batches among types is not
// in sim.SpeedModel. Jobs that no type alone can hold, that share a GPU or that ask for CPU or
// memory are placed first come, first served, and keep what they have. A cluster of one type works
// as well: then it decides numbers alone. Machines without a type in a cluster that has types serve
// those jobs only. Numbers go from the least by doubling to the most.
package heet

// Params describes the settings for the catalogue.
const Params = `round      length of a round, s; 0 = at every event
order      fifo | las: which jobs get GPUs when not all can: by arrival or by attained GPU-time
measure    few: one configuration per type and one per number | all
balance    how much scheduling efficiency counts against scaling efficiency
least      scaling efficiency of the GPUs added below which a job does not grow, 0 to 1
stay       value that a change of types must gain`
