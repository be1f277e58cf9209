// Package murisim is Muri (baselines/muri) with the habits of the authors' simulator, so that runs
// agree with its results job by job: muriref compares them. docs/schedulers/muri.md states what agrees.
//
// The habits: jobs are taken off and placed again at each event, in that program's order of machines
// (room.go), without a cost; running jobs lose their group's start overheads in each interval between
// two events but the last; a job that never ran has the GPU-time that its user asked for as its key;
// and all groups of a number of GPUs are matched at once. An arrival and an end within 1e-4 s are two
// events here, and one there.
//
// account.go keeps the jobs' times, murisim.go has the settings and the placement.
package murisim
