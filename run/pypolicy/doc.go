// Package pypolicy is schedulers that are written in another language: a sim.Policy that asks a
// caller, and what that caller may ask back while it decides.
//
// Reading guide. Policy (policy.go) is the scheduler of one trial. It asks through an Asker, which
// is the C library for Python in the same process (run/abi). While the caller decides, it calls
// Session.Do (ops.go) with a number and words of 64 bits: columns of jobs (columns.go: one table of
// all that a policy may read; table.go: the jobs that wait and that run, kept from one decision to
// the next), places and predictions (place.go), and decisions (decide.go), singly or for a whole
// order (order.go). A column that the policy did not declare is refused with the declaration that
// opens it. look.go reads the state of an environment in the same way, and decides nothing.
package pypolicy
