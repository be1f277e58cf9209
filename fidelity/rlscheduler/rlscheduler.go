// Package rlscheduler is WFP3 and UNICEP as the program behind RLScheduler's published tables runs
// them (Zhang et al., SC 2020): the program takes scheduled_time - submit for the wait of a job, and
// scheduled_time is -1 while the job waits. docs/schedulers/picked.md has the tables.
package rlscheduler

import (
	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// wait is the wait of that program, in seconds.
func wait(v *sim.View, j sim.JobID) float64 { return -1 - v.Job(j).Submit().Seconds() }

// NewPicked makes the protocol of the tables, queueing.NewPicked, with that wait.
func NewPicked(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return queueing.PickedBy(wait)(s, rule)
}

// NewScored gives the maker of wfp3 or unicep with that wait.
func NewScored(order string) func(*param.Set, cluster.Rule) (sim.Policy, error) {
	return queueing.ScoredBy(order, wait)
}
