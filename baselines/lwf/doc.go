// Package lwf is LWF-kappa with SRSF(n) or Ada-SRSF: Q. Wang, S. Shi, C. Wang, X. Chu, "Communication
// Contention Aware Scheduling of Multiple Deep Learning Training Jobs", arXiv 2002.10105. Jobs go
// where least work is left, and a job that would meet others on a link starts beside them only by a
// rule.
//
//  1. The queue is in ascending order of compute x workers, equals by arrival. Every job that fits starts; none waits behind one that does not.
//  2. A job of at most kappa GPUs takes the free GPUs with least work left; free GPUs here have none, so it takes the first ones. A larger job fills
//     machine after machine, by the mean over their GPUs of the work left, equals in the order of the last such placement (place.go).
//  3. The work left on a GPU is the time that its job would run on from now without others on its links, computing and communicating.
//  4. Ada-SRSF: AdaDUAL lets a job start beside one other on a link by how much that has left to send. SRSF(n) (admit=count): at most n jobs on a
//     link (admit.go).
//
// # What is theirs and what is ours
//
// Their jobs ask link by link and all-reduce by all-reduce: a transfer waits until fewer than n are
// on its links, or begins beside one of which 2 (b + eta) / b times its own bytes are left. The
// kernel has no single all-reduces: a job is an amount of work, and its transfers share links as
// long as it runs. So here a job asks once, when it starts, for all its transfers together: one
// that would be the n+1st on a link waits in the queue, without GPUs; with AdaDUAL it starts
// beside one other job if that has 2 (1 + alpha) times as much of its time alone left to
// communicate. A refusal lasts as long as the other job here, and one transfer there. Their own
// numbers are in fidelity/adasrsfref, which replays transfers.
//
// Ours, too:
//
//   - GPUs are exclusive. Their jobs share GPUs as memory allows, and tasks run one after the
//     other by compute left x workers, which the kernel's shares of a GPU do not express.
//   - The work left is in time at the speed alone on the GPUs at hand (know.Speed); they book
//     7.8125 ms per MB and iteration, nine times what their links need.
//   - Machines are ordered anew for a job that has its GPUs; theirs also for one that has not.
//   - Jobs that share a GPU are packed (plan.Placer), and so are jobs to whose CPU or memory the
//     machines in order do not add up.
//   - by=estimate, which reads estimates in place of the work.
//
// Under a speed model without links the uplinks of machines and racks are counted.
package lwf

// Params describes the settings for the catalogue.
const Params = `kappa  GPUs up to which a job takes the least loaded GPUs; larger ones fill the machines with the least mean load
admit  ada: a second job on a link beside one with much more left to communicate | count: at most n jobs on a link
n      jobs on a link at most, 0 = any number; admit=count alone
alpha  loss of two transfers at once, eta / b; a second job starts where the first has 2 (1 + alpha) times as much left; admit=ada alone
by     work: the true work | estimate: the estimated work`
