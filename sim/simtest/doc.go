// Package simtest tests policies. A policy's own tests call Policy, which runs it on hundreds of
// random small workloads and checks what must hold for every policy, and Scripts, which runs
// written scenarios and compares what happened with transcripts kept beside them.
//
// Reading guide: policy.go is the suite, draw.go draws its cases, audit.go verifies a run from the
// outside, apart.go holds clones and snapshots apart by all memory that they lead to (reach.go),
// laws.go holds the metamorphic laws, hidden.go finds who decides on work that is left, script.go
// the scenario language, transcript.go writes a run as a table of times, events and decisions.
package simtest
