// Package abi is what the C library does, in Go: groups of environments that read actions from, and
// write what they lead to into, memory of the caller, and simulations whose tables the caller
// reads.
//
// Reading guide. A Request (open.go) states which environments; Open gives a Group of them
// (group.go), whose Description has the spaces and where each column lies in the buffer that the
// caller allocates (layout.go). Reset (reset.go) and Step (step.go) write that buffer; an error is
// a Status with a text (status.go). A RunRequest (run.go) is a simulation: Start gives the Work
// (work.go) that does it in the background (simulate.go), and then has tables (tabled.go);
// ownjobs.go reads jobs that the caller hands over. measure.go measures policies of the caller's,
// measured.go states what was found. Package cmd/libtarry gives all of this C names, package tarry
// of python/ is its caller.
//
// A Group serves one thread at a time: a second one gets Busy. No call panics, and none keeps
// memory of Go in the buffer.
package abi
