// Package colocate is what policies that put several jobs on a GPU have in common: a picture of one
// decision (who is on which GPU, what the decision gives out) and the choice of GPUs for a gang by
// a cost for each.
//
// A GPU gets at most one new job in a decision, so that every choice sees the jobs beside which it
// puts a new one, as where pods are bound one after the other. A policy that has more for a GPU
// asks to be called again a microsecond later (Board.Again).
//
// Shares are tickets: n jobs on a GPU hold 1000/n of it each, one over several GPUs the least of
// these, and none more than it asks for.
//
// plan.Join is the other way to tickets, and both stand on plan.Ticket. Join adds one job to
// decisions that may hold preemptions, moves and further joins of the same GPUs, and takes GPUs
// that were chosen elsewhere. A Board chooses GPUs for gangs, keeps what a decision gave out of
// hosts, and writes all shares once, up and down, at the end; nothing leaves a GPU in it. Neither
// can stand on the other without the account that the other does not need.
//
// Reading guide: board.go what a decision has given out; pick.go the choice; tickets.go the
// decisions; limits.go what is passed over.
package colocate
