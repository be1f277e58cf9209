// Package parallelqueues is the environment classic/ParallelQueues-v0: to which of several finite
// queues each job goes, when departures are acknowledged late (Tahir, Alt, Rizk and Koeppl, arXiv
// 2109.08548), on the queues of env/classic/parallelqueues/queues.
//
// # What is decided
//
// The queue of the next job, from what was true after the job before it.
//
// # Instance
//
// Jobs come after exponential times at `load` of the sum of the rates. Half of the queues (the
// larger half) serve 0.2 jobs/s, the others 0.1. Service times are exponential, gamma (shape 2:
// less variable) or Pareto (exponent 2.5: heavy tails), each with mean 1/rate. Times and
// acknowledgements of each queue come from streams of its own.
//
// # Protocols
//
// protocol=published has 50 queues, 10^6 for a full queue and an observation of the
// acknowledgements alone. protocol=fair, the default, has 8 queues, 100 for a full queue, and
// beside the acknowledgements what every dispatcher has: the rates, and how long ago it picked each
// queue, without which no agent can take turns as the rules do. observe=open adds the jobs that
// were taken and are not acknowledged, observe=lengths the queues themselves. A job that is refused
// is seen at once.
//
// Rules that see the queues state it (tarry list envs); the others see no more than observe=open
// shows. sed is the shortest expected delay as the paper states it, sed-published what its program
// plays.
//
// # Episode
//
// It begins with empty queues and has `jobs` jobs.
//
// # Version history
//
// v0: first version.
package parallelqueues
