// Package gavel is Gavel: "Heterogeneity-Aware Cluster Scheduling Policies for Deep Learning Workloads", D. Narayanan, K. Santhanam,
// F. Kazhamiaka, A. Phanishayee, M. Zaharia, OSDI 2020.
//
// An objective gives every job a fraction of time on each type of GPU (package objective); rounds turn the fractions into placements
// (plan.Rounds).
//
// Reading guide: gavel.go has the policy and what it keeps of a job, config.go its settings, rates.go throughputs by type, shares.go the
// allocation problem of the present jobs, replay.go the habits of Gavel's own simulator.
package gavel
