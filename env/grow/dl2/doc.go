// Package dl2 is the slotted cluster in which DL2 (Peng et al., TPDS 2021) is trained, and the rules
// that it is compared with, as its released simulator has them. It draws nothing.
//
// A slot has these steps:
//
//  1. Open admits the jobs of the slot and clears all allocations.
//  2. A rule, or an agent by Guard and Act, gives jobs workers and servers: by Give, each on the node
//     with the fewest used units of CPU and GPU together, ties to the lowest. A task that does not fit
//     there does not fit.
//  3. Close lets each job progress at the speed that its workers and servers have. A job that ends
//     keeps its units for the slot.
//
// The reward of a slot is the sum over jobs of the part of their epochs that was done in it. Changes
// of allocations cost nothing.
//
// What is known. Rules read how many epochs a job has left and its speed at any allocation: SRTF,
// Tetris, Optimus and the orders by time are clairvoyant here, as DL2's agent is.
//
// The rules are weaker than their names: SRTF orders by the part of the epochs that is left, Tetris
// prefers more work left, and FIFO, SRTF, DRF and Optimus stop at the first misfit. Time is ours.
package dl2
