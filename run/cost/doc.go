// Package cost measures what schedulers cost: the processor seconds of one simulation, in a process
// of its own that ends when it has used up its limit.
//
// docs/reference/cost.md has two tables of it. One runs every scheduler of the catalogue on the jobs of
// Philly; the other runs some of them on generated jobs, on clusters of several sizes. Processor
// seconds are user and system time of the process, so that other work on the machine moves them
// little.
package cost
