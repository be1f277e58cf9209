//go:build cgo

// Command libtarry is tarry as a C library, for Python (python/) and other languages: go build
// -buildmode=c-shared.
//
// Reading guide. Every call gives a status, 0 = done (run/abi has the list), and is named tarry_*.
// What is text is allocated here and freed by tarry_free (text.go). catalogue.go states what there
// is; group.go makes, steps and closes environments, over a buffer of the caller's; render.go shows
// them; run.go simulates in the background; measure.go measures policies of the caller's, whom it
// asks (asking.h), and policy.go runs schedulers of the caller's in the same way; table.go hands tables out as Arrow (arrow.c). A handle is a number that is never
// used twice, so that a call on a closed one is an error.
//
// The library starts Go's runtime when it is loaded, which does not survive fork: a child process
// must not call it.
package main

func main() {}
