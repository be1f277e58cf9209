// Package speed holds the speed models: how fast a job runs on its GPUs.
//
// Reading guide: all of them are sim.SpeedModel. Counting ignores placement, Tiers has a slowdown
// per level, Table reads compute fractions from a file, package measured below reads throughputs by
// GPU type, Collective computes them from the model's layers and the cluster's network, and
// Contended is Collective with links shared between jobs. All lists them by the names that the
// command line takes.
//
// # The common rule
//
// A model answers with the nominal compute fraction f of a job on its GPUs. In units of one
// iteration's compute, exposed communication is x = 1/f - 1. With share s of each GPU, relative
// clock c (the slowest GPU's, its type's speed included) and relative batch b, one iteration takes
// (b/c + x)/s and does b iterations' work, so that on g GPUs
//
//	rate = g s b / (b/c + x)      compute fraction = (b/c) / (b/c + x)
//
// and with s = b = c = 1 simply rate = g f. In words: a share slices the time of everything; a
// slower clock stretches compute alone; a larger batch spreads the same exchange over more work. We
// differ from measured systems in three places: how much communication hides behind compute is not
// recomputed for another clock or batch, whether a larger batch learns as much per sample is left
// to the policy, and jobs that share a GPU disturb each other by their shares alone (package
// interference has other laws). CPU and host memory are room alone (package hosts has laws).
//
// A model is not safe for concurrent use: it keeps caches. Speed allocates nothing for a job and a
// shape that it has seen.
package speed
