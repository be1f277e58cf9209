// Package inspected is SchedInspector (Zhang et al., "SchedInspector: a batch job scheduling inspector
// using reinforcement learning", HPDC 2022) over the simulator: a base rule picks a waiting job, and an
// inspector lets it go or refuses.
//
//  1. When no job has been let go, the base rule picks the waiting job with the least score.
//  2. Let go, it is first: until it fits nothing starts but what is backfilled behind it.
//  3. Refused, nothing starts before the next job arrives or ends, or 600 s are over;
//     then the rule picks anew. Events of one instant are taken in one at a time.
//  4. No job is preempted.
//
// Reading guide. Protocol (protocol.go) leaves the answer open; inspectors.go has fixed inspectors,
// observe.go what an agent sees, policy.go the policy. An agent answers in tarry/Inspect-v0
// (env/inspect).
//
// We differ: requests are what users asked for, where the published loop reads the true run times;
// backfilling is on; a job is refused 72 times at most; an agent sees 14 numbers that are ratios to
// the cluster or in leases, where the published one sees seven relative to the log.
package inspected
