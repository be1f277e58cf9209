// Package stages states how long jobs take that share GPUs and use different resources at different
// times: the interleaving of stages of Muri (Zhao et al., "Multi-Resource Interleaving for Deep
// Learning Training", SIGCOMM 2022).
//
// An iteration of a job has three stages: it loads its input (storage and CPU), computes (GPU) and
// exchanges gradients (network). While one job computes, another may load and a third may
// communicate. A group is at most four jobs in a cyclic order, and its iteration time is the time
// in which each does one iteration.
//
// # Two models
//
// Slots is what the authors' simulator computes. It has four slots for three stages: with f(0) = 0,
// the job in slot (i+1) mod 4 communicates and the one in slot (i+2) mod 4 computes from f(i) on,
// the one in slot (i+3) mod 4 loads from f(i-1) on, and f(i+1) is when all three are done. Two
// rounds of four slots are played, and the time of a round that repeats to a thousandth is the
// group's.
//
// Cyclic is the closed form of the paper: job i is in stage (r - i) mod R in slot r, and T = sum
// over r of the longest stage in slot r.
//
// # Reading guide
//
// slots.go has the recurrence and the closed form, order.go the best and the worst order, group.go
// what a group makes of them: the factors by which measured groups are slower than the recurrence
// states (1.33, 1.5 and 1.37 for two, three and four jobs), and the used ratio, which is what
// Muri's matching maximises.
package stages
