// Package delay is classical delay scheduling: "Delay Scheduling: A Simple Technique for Achieving
// Locality and Fairness in Cluster Scheduling", M. Zaharia, D. Borthakur, J. Sen Sarma, K.
// Elmeleegy, S. Shenker, I. Stoica, EuroSys 2010.
//
// The paper schedules many small tasks that each have a preferred node. Here the unit is a gang,
// all or nothing, and locality is how closely it is packed: one machine, one rack, any GPUs. That
// is the adaptation:
//
//   - A job looks for the finest level first. In the time form (its Algorithm 3) it takes one rack
//     once it has waited wait_machine, and anything after a further wait_rack: the waits add up. A
//     demand that no machine can ever hold begins at the rack, and so on.
//   - In the count form (its Algorithm 2) it takes anything once it has declined `skips`
//     opportunities. An opportunity is an instant at which GPUs came free and, when all who
//     accepted had been served, enough GPUs for the job were left that it did not accept.
//   - A job that declines does not hold up those behind it.
//   - A launch resets the clock and sets the level to the launch's. A gang launches once, so
//     this matters only to a job that a fault returns to the queue: it may again take at once what
//     it had, and nothing coarser before it has waited anew.
//   - The clock runs from the moment a job begins to wait. With clock=offer it runs only while the
//     job declines what is free, as the paper's does; a full cluster then costs no job a level.
//   - Order is first come, or fair: the job of the user who holds the fewest GPUs, over its weight
//     where the run states weights.
//
// Timers are events at the instant at which a job may take what is free: no polling.
//
// Reading guide: delay.go decides, clock.go keeps what a demand has waited, fair.go ranks users.
package delay

// Params describes the settings for the catalogue.
const Params = `form          time | count: decline for a time, or a number of times
wait_machine  wait for one machine, s, inf allowed
wait_rack     further wait for one rack, s, inf allowed
clock         wait | offer: the clock runs while the job waits, or while it declines
skips         opportunities declined before any place is taken, inf allowed; form=count
order         fifo | fair: by submission, or the user who holds the fewest GPUs`
