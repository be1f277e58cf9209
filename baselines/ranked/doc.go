// Package ranked is an order by a function: each job has a score, the same function of its features
// for all (baselines/score), waiting and running jobs alike, and the least score chooses first. The
// policy ranked is Dally's contest in this order: placement, delay timers, leases and evictions
// (evict=later, with a margin) are as in baselines/contest.
//
// It reads nothing of the future. The rank of a job is the Gittins rank of its progress under a
// log-normal law of run times, or under the law of the run's predictor (sim/law): Gittins, Asmussen
// and Weiss, "Multi-armed Bandit Allocation Indices"; Aalto, Ayesta and Righter, Queueing Systems
// 63,
// 2009. With the rank alone, the default, it is the Gittins policy for one server, applied to gangs.
//
// Scores are asked again when an input has moved on: times count in steps of 1/8 of their
// logarithm, the pressure of the queue in steps of 1/8 and at most every quarter of a lease. So a
// job's score changes about a hundred times in its life, and not at each event.
//
// With all weights 0 all jobs tie, and the tie of Dally decides: the job that has waited longest,
// or with ties=submit the order of arrival.
//
// Reading guide: order.go is what a contest asks, steps.go has the logarithm in steps, inputs.go
// what is read of a job, ranker.go remembers scores. The settings are in policy.go.
package ranked
