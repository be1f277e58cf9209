// Package place is the environment tarry/Place-v0: an agent chooses which waiting job starts and on
// which GPUs, where jobs slow one another down. After DeepShare ("Network contention-aware cluster
// scheduling with reinforcement learning", Ryu and Eo, ICPADS 2023) in two protocols.
//
// Reading guide. protocol=fair is over the simulator: place.go its settings, scheduler.go its
// questions, observe.go what is seen, rules.go the fixed rules, policy.go the policy deepshare.
// protocol=deepshare is published.go over package place/deepshare, the rounds of the authors'
// simulator.
//
// # What is decided
//
// With protocol=fair one start: of the candidates, the first waiting job of each demand that fits, in
// order of arrival, on one of four sets of GPUs: packed (the finest level that holds the job, best fit),
// emptiest (machines with most free GPUs first), fragments (leftovers first), and quiet (where it needs
// several machines, those first that the fewest jobs over several machines use; else packed). No job is
// preempted. With protocol=deepshare one start of a job of 2, 4 or 8 GPUs on one of 7 sets of 4 nodes.
//
// # Decision epoch
//
// With protocol=fair each instant at which a waiting job fits, again after each start. Sets that are
// alike are separate choices. With protocol=deepshare see its package: in training the authors ask once
// in a round of 300 s, in evaluation until an action places no job.
//
// # What is known
//
// The speed that a job would have on a set now and without other jobs, as the speed model gives it.
// With speed=contended (the default here) that does not depend on the jobs on its links, and kept is
// 1 for a job of whole GPUs where the network is a tree (with several paths the two speeds are of
// paths drawn apart): counts of jobs over several machines (beside, crossing) stand in. With
// speed=deepshare:DIR the jobs on its links count. Nothing of how long a job takes.
//
// # Version history
//
// v0: first version.
package place
