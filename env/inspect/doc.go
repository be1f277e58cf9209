// Package inspect is the environment tarry/Inspect-v0: SchedInspector (Zhang et al., HPDC 2022) with
// an agent that inspects. A base rule picks a waiting job, the agent lets it go or refuses. It is the
// policy inspected (baselines/inspected) with the answer left to an agent; with
// protocol=schedinspector it is the published loop (env/inspect/schedinspector).
//
// # What is decided
//
// Whether the picked job goes. Then it is first until it fits, and jobs are backfilled behind it
// (backfill=none: nothing is). Refused, nothing starts before the next job arrives or ends, or 600 s
// are over. A job may be refused `refusals` (72) times.
//
// # Decision epoch
//
// Each pick: when no job has been let go and one waits, and when a refusal is over. Many may be made at one
// instant.
//
// # Action
//
// Discrete(2): 0 lets the job go, 1 refuses it.
//
// # Observation
//
// Dict{job, queue}: 8 numbers of the picked job and 6 of the queue (baselines/inspected.Words); with
// protocol=schedinspector the seven published ones. `tarry list envs tarry/Inspect-v0` prints them.
//
// What is known. What users asked for (by=request), and nothing else of how long a job runs. With
// by=estimate what the run's predictor gives: without one that is the truth, and agents are marked as
// clairvoyant. With protocol=schedinspector run times are the truth, as published, unless by=request
// is given.
//
// # Reward
//
// gain, unless set otherwise: (b - s) / max(b, s, 1) at the end of a window, s its mean bounded
// slowdown (10 s) and b the base rule's, and 0 before.
//
// # Rules
//
// Demonstrations (Follow) are the fixed inspectors: wide-and-full, never, full-once, full,
// always-6-times. full is what EASY does with a job that cannot run: it does not block, and the rule picks
// anew at each event.
//
// # Episode
//
// A window of window_jobs (128) jobs that come one after another, at the times of the log, from an
// empty cluster to the last job. Windows of training, validation and test have no job in common. With
// protocol=schedinspector windows are drawn out of a part of the log: any job of the part may be the
// first, and windows may overlap.
//
// # Version history
//
// v0: first version.
package inspect
