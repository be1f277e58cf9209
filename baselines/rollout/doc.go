// Package rollout improves an order of jobs at decision time. Every epoch the planner compares the
// order as it is with variants in which one job goes before all others (promoted) or behind them
// (demoted, so that it is the first to be evicted). Each is played to the end in a model of the run:
// the jobs in the system as they stand, without arrivals, in a sim.Engine that follows the run, under a copy of the base.
// The work that is left is drawn from each job's law given its progress; variants are compared on
// the same draws. A variant is taken if the gain in the sum of completion times has a mean of more
// than so many standard errors.
//
// It is the rollout of Bertsekas and Castanon, "Rollout Algorithms for Stochastic Scheduling
// Problems", J. Heuristics 5, 1999. What was chosen stays in force, so the base of the next epoch is
// the order with all changes so far: with the true work, and without arrivals and failures, no
// choice makes the sum of the completion times larger than the base's.
//
// An epoch begins no instant of its own: the planner looks when something happens anyway.
//
// Victims compares, in the same way, what may be done about a job that lacks GPUs which running jobs
// have: the sets of victims of the rules of sim/plan/victim, sets with each running job, and to evict
// no job for a while or until a checkpoint.
//
// The policy planned improves any policy that can be cloned. A policy needs no key for it: some of its
// starts are not made for a while, and it gets the events of their failures when they may start.
//
// Reading guide: stage.go compares changes in plays, draw.go draws work, settings.go reads settings.
// bend.go is an order with jobs before or behind it, planner.go is the policy, epoch.go lists
// changes. request.go is a job that lacks GPUs, steered.go a contest whose victims are given,
// victims.go the policy that lists sets and holds. gate.go is a policy whose starts are held back,
// over.go the planner over it, anybase.go its settings.
package rollout
