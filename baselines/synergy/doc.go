// Package synergy is Synergy: "Looking Beyond GPUs for DNN Scheduling on Multi-Tenant Clusters", J.
// Mohan, A. Phanishayee, J. Kulkarni, V. Chidambaram, OSDI 2022. It keeps the number of GPUs of
// each job and gives CPU cores and host memory by how much a job's speed depends on them.
// docs/reference/sharing.md#hosts has the law of speeds that it needs (--hosts), docs/schedulers/synergy.md what was measured.
//
// # The algorithm
//
//  1. Profile (profile.go): for each kind of job, its throughput over a grid of CPU x memory per GPU, relative to that at its part by GPUs: the machine's CPU and memory over its GPUs. Its
//     best-case demand is the smallest point near the highest throughput.
//  2. Round (policy.go, order.go): every round_s seconds all jobs are put in order (arrival, least attained service, shortest remaining time, finish-time fairness). Those are to run whose GPUs
//     fit one after the other; a misfit is passed over. CPU and memory do not change who runs, but under greedy.
//  3. Mechanism (tune.go, opt.go): proportional gives each job its part. Greedy gives each in order its demand or passes it over, so that GPUs may stay idle. Tune takes the jobs by GPUs, most first: a job
//     gets its demand on the machine with the least free that holds it; if there is none and the demand exceeds its part, its part; if that has no place either, the jobs there that
//     have more than their parts are cut to these until it has. Since all jobs fit at their parts, tune places every job of the round. Opt chooses a point of the grid for each job, so
//     that throughputs over those at the parts add up to the most within the CPU and memory of the cluster, and no job has less than at its part.
//  4. The kernel is given what differs from the last round (plan.Target): starts, stops, moves, and new CPU and memory in place.
//
// # Ours
//
// The paper's text was not at hand; the steps follow its abstract, public notes, and what its
// published simulator does. These are ours: the grid is in thirds of the part by GPUs (1 to 6, 9,
// 12 and 24 of them for CPU, to 12 for memory, which are the simulator's points on its servers);
// the demand is the point of at least 0.9 of the highest throughput (near), and never below that at
// the part, with the least sum of CPU and memory over the parts. A job is on one machine where one
// has the GPUs, else in as few as possible, each GPU with equal CPU and memory; jobs of equal size
// keep the GPUs that they have, where these fit. Greedy looks beyond the jobs whose GPUs would fit,
// as it passes some over, and the first in order gets its part where its demand has no place in an
// empty cluster. Opt's choice is exact within nodes linear problems, else the best found; the paper
// places it by a second program, here it is placed as tune places demands, and where that comes to
// less than tune's own round, tune's is taken. So placed opt >= tune >= proportional holds in every
// round, by profiles. Jobs get complete GPUs, whatever part of one they ask for, and CPU and memory
// as above, whatever they ask for.
//
// SRTF counts the time left at the part by GPUs. Finish-time fairness is worst-off first,
// where the published simulator sorts best-off first. Its aging of jobs that starve for 1000 hours
// is left out. A profile is taken at the first arrival of its kind, on the closest GPUs of an
// empty cluster. Where machines differ, a job's part is that on the machine with the least per GPU
// of machines that it may use.
//
// # Reading guide
//
// policy.go has rounds, order.go who goes first, profile.go the matrix of a kind, pack.go machines
// and places, tune.go the mechanisms, opt.go the choice, config.go the settings.
package synergy
