// Package schedinspector is the loop of the program behind SchedInspector (Zhang et al., HPDC 2022):
// a rule picks a waiting job, and an inspector lets it go or refuses. Times are in seconds.
//
// Reading guide. World (world.go) plays an episode; pass.go has how time moves on; rules.go has the
// 16 base rules. Fixed inspectors are in baselines/inspected.
//
//   - An episode has jobs that come one after another in a log, from an empty cluster and the submit
//     of the first on.
//   - The base rule picks the job with the least score, the first in the queue of equal ones, anew at
//     each decision.
//   - Let go, the job starts as soon as it fits. Until then time moves from event to event, arrivals
//     before ends at a tie, one job at an event; nothing else starts. With backfilling queued jobs
//     start in order of arrival if they fit and, by their requests, end before the job's earliest
//     start, which is computed once.
//   - Refused, the job's refused time grows by 600 s, and time moves to the next arrival, the next end
//     or 600 s later. The arrival that bounds it may be of a job behind the episode's last.
//   - The score of an episode is the mean of max(1, (wait + run) / max(run, 10)).
//
// Slips of the program that are kept: the wait in scores is -1 - submit, as a job that waits has the
// start -1, and -1 in multifactor, which reads the log's wait.
package schedinspector
