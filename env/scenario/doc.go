// Package scenario is what schedulers meet: the hardware and its network, the speed model, costs,
// faults, and the jobs with the windows that are cut from them. A run, an environment and a program
// take the same value, with the same names.
//
// Reading guide. Scenario (scenario.go) is the value, as names; Scenario.Read (read.go) reads it
// from "key=value,..." or YAML; Scenario.Build (build.go) makes what the names stand for. cuts.go
// states which windows of jobs there are: Recorded (recorded.go) cuts a trace by time, Batch
// (batch.go) deals a list of jobs out, Synthetic (source.go) draws. clusterfile.go reads hardware
// and network from a file.
package scenario
