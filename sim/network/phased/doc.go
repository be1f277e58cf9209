// Package phased plays a group of jobs that compute and transfer in turns over shared links, until
// the pattern recurs, and gives the mean time of an iteration of each in that steady state. It has
// neither clusters nor jobs of a trace; it is arithmetic over a handful of numbers.
//
// Reading guide: a Group takes Jobs and the capacities of links (group.go), puts them into an order
// that does not depend on their names (form.go), uses a closed form where there is one (closed.go),
// and plays events otherwise (play.go) at the rates of rates.go until the state was visited before
// (visits.go). A Cache keeps what came out (cache.go).
//
// # Model
//
// An iteration of job j computes for c seconds. When the part s of the compute is done, a transfer
// of v (seconds of a whole link of capacity 1) is released; the next iteration begins when both are
// done, and with a pace at the next slot after that. Let A(t) be the transfers released and not
// done. The rates x(t) are the weighted max-min allocation of A(t), level by level:
//
//	sum over j of load(j, l) x_j <= capacity(l) on every link l, x_j <= most(j),
//
// a level gets what higher levels leave, and within a level no x_j/w_j can be raised without
// lowering one that is no larger. Between events x is constant, so that the next event, the end of
// a compute or of a transfer, or a slot, has an exact time. The state is (compute left, transfer
// left, time since a slot) of all jobs at the begin of an iteration; when one recurs after D seconds
// in which j did n_j iterations, T_j = D/n_j for ever.
//
// The exact mode takes a state as the same within 2^-30 of the longest iteration alone. Otherwise
// 2^-20 do, and a state in the same cell of 1/64 as one before, once 512 events are played and half
// of them lie between: patterns with many periods hardly ever recur exactly.
//
// # Not modelled
//
// Several transfers of one iteration, times that differ from one iteration to the next, packets,
// and latency. Two patterns may be stable beside each other, or none (the means of such a group
// depend on the last bits of offsets, by a few per cent).
package phased
