// Package crux is Crux: J. Cao, Y. Guan, K. Qian, J. Gao, W. Xiao, J. Dong, B. Fu, D. Cai, E. Zhai,
// "CRUX: GPU-Efficient Communication Scheduling for Deep Learning Training", SIGCOMM 2024. It stands
// over any policy that decides who runs where, and gives running jobs paths between racks and
// priorities on links. docs/schedulers/crux.md has what was measured.
//
// # The algorithm
//
// At each start, move and end, of the running jobs that cross links:
//
//  1. GPU intensity is the compute of an iteration, in GPU seconds, over the seconds of its transfer on its tightest link (equation 2).
//  2. Paths (section 4.1): by intensity, the highest first, each job takes the least congested of its paths.
//  3. Priority is k x intensity (equation 3). The job with most traffic is the reference, with k = 1. For another job both orders of the two on one link
//     are played: k is what the job gains of the link's time by going first, over what the reference gains.
//  4. Compression (section 4.3, algorithm 1) to few levels: an edge from each job to each of lower priority that shares a link with it, with its intensity as weight; the levels
//     cut edges of most weight, and no job has a level above one of higher priority with which it shares a link. A dynamic programme cuts each of a few random topological orders.
//
// # What is ours
//
//   - A job has as many paths as machines in its smallest rack, for all its pairs of racks. The congestion of a path is the volume (seconds of transfer per iteration) on its fullest link beyond the machines; of
//     equals the lowest path. The paper states neither.
//   - Traffic is the part of time in which a job transfers when alone, times the links it crosses.
//   - Where the reference gains nothing by going first and the other job does, k is infinite; where neither gains, 1. Equal priorities go by intensity, then by arrival.
//   - The first topological order is the order by priority. Connected groups of jobs are cut one by one, which changes no optimum.
//
// Reading guide: policy.go the instant, rank.go paths and priorities, pair.go two jobs on a link,
// paths.go congestion, compress.go the cut.
package crux
