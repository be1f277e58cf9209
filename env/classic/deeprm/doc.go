// Package deeprm is the environment classic/DeepRM-v0: which visible job gets a place next (Mao,
// Alizadeh, Menache and Kandula, HotNets 2016), on the machine of env/classic/deeprm/slots.
//
// # What is decided
//
// The place of a job in a slot, now or in the future, or that a step passes.
//
// # Instance
//
// At each of `steps` steps but the first a job comes with probability `rate`: four of five have a
// length of 1 to 3 steps, the others of 10 to 15; one resource, drawn, is needed with 5 to 10 of
// its 10 units, the other with 1 or 2, all uniform.
//
// # Protocols
//
// protocol=deeprm is the published one: 50 steps of arrivals, 5 slots, a rate of 0.7, every choice
// is legal and one that cannot be taken lets a step pass, with the trap of the original in the
// reward. protocol=fair, the default, has 200 steps of arrivals: with 50 most jobs meet a machine
// that has just begun empty or, after the last arrival, fills no more, and the order of the work
// that is left decides, which is another problem than a queue that lasts. It has 10 slots, a rate
// of 0.4, at which the queue is stable under good rules (at 0.7 it grows as long as jobs come,
// whatever is done), a mask of what cannot be taken, and no trap. No job is lost in either.
//
// # Episode
//
// It lasts until all jobs are done. After 4 x steps SJF plays the rest inside the last action, so
// that every return is minus the sum of all slowdowns: nothing is gained by leaving jobs.
//
// We differ from the published program in the order of choices (moving on is choice 0, the last
// there), in the cells of running jobs in the image (1, a colour drawn at random there), and in
// rollouts, which end there with the last arrival or after 200 actions.
//
// # Version history
//
// v0: first version.
package deeprm
