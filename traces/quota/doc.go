// Package quota states which part of a cluster each virtual cluster of a workload owns: from a
// file, from the trace, or by a rule.
//
// Reading guide: Parse (rule.go) reads a Rule from the setting quotas; Rule.Of (divide.go) makes
// the tenants of a workload on a cluster; read.go reads files. What policies do with quotas is
// theirs; sim/tenant has the result.
//
// # The rules
//
// demand gives each virtual cluster GPUs in proportion to the GPU-time of its jobs in the workload,
// equal gives all of them the same. Both hand out part x the cluster's GPUs in units of one GPU or
// of one machine, so that the quotas add up to it exactly: each virtual cluster gets at least one
// unit while there are enough, and what rounding leaves goes to the clusters that it cost most.
// Demand is the demand of the jobs to come, as an operator plans it who knows the tenants: no
// policy learns more of the future by it than the quotas.
//
// A file and a trace state GPUs; they may add up to at most the cluster's. With fit=true they are
// scaled to it in the same way. Jobs that name no virtual cluster have no quota.
package quota
