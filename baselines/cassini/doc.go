// Package cassini is CASSINI: S. Rajasekaran, M. Ghobadi and A. Akella, "CASSINI: Network-Aware Job
// Scheduling in Machine Learning Clusters", NSDI 2024. Over another scheduler it chooses places at
// which the transfers of jobs that share links interleave, and shifts their iterations to that end.
//
//  1. The host decides which jobs start or move, with how many GPUs.
//  2. Up to ten candidates place these jobs. The graph of jobs and of the links that several of them
//     cross must have no loop: with one, a single shift of each job may not exist.
//  3. Each link has a score, 1 where no two transfers meet (package circle). The candidate with the
//     best mean score is taken.
//  4. Each job gets one shift, found breadth first over the graph. It waits for as long once, and
//     again when it is off by more than 5 % of an iteration.
//
// Reading guide: cassini.go one decision; places.go candidates; network.go jobs and links that are
// connected; solve.go their circles; align.go shifts; config.go the settings.
//
// # What is theirs and what is ours
//
// We have the abstract and notes of others, no program of theirs. Theirs are the steps, circles of 72
// angles, ten candidates and 5 %. Ours:
//
//   - A host is a whole scheduler, so candidates are other places for what it decides: the same jobs,
//     each with as many GPUs, out of the GPUs that it gives out at that instant and the GPUs that
//     stay free (places.go). No job is placed where it would be slower alone. GPUs that the host keeps free
//     for a job may be used.
//   - Links all of whose jobs cross another link, too, are left out: two jobs on two common links are
//     no loop. Where every candidate has a loop, the host's places are taken, and the jobs in it are
//     not aligned.
//   - A job asks each of its links for all of it while it transfers, once in an iteration.
//   - Iterations have any length. They are lengthened by up to stretch to the shortest common
//     perimeter of the jobs that links connect, of at most laps of the longest (circle.Limits). Without
//     one, a link's score is the mean over all shifts, and its jobs are not aligned.
//   - Re-alignment is a pace: iterations begin in slots of their lengthened length, where no two
//     transfers of connected jobs meet; else a transfer that meets another would lose a slot. Slots
//     have to gain more than longer iterations cost. Jobs without slots run on from their shift.
//   - Jobs are aligned a microsecond after places change: a job whose start takes time waits beyond
//     that.
//   - With a speed model without phases the host decides alone.
package cassini
