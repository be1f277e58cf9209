// Package muri is Muri: "Multi-Resource Interleaving for Deep Learning Training", Y. Zhao, Y. Liu,
// Y. Peng, Y. Zhu, X. Liu, X. Jin, SIGCOMM 2022. docs/schedulers/muri.md states how to run it and what was
// compared.
//
// # The algorithm
//
// Jobs that load, compute and communicate at different times share GPUs. When a job arrives or
// ends:
//
//  1. All jobs are sorted: Muri-S (key=srsf) by the GPU-time that is left, Muri-L (key=las) by the GPU-time attained (list.go).
//  2. Candidates (pick.go): down the list, a job that fits in what is left of an empty cluster brings along the next jobs of the same number of GPUs, four together.
//  3. Where the candidates need more GPUs than there are, they are grouped (merge.go): a graph of the groups of each number of GPUs, with the used ratio of the
//     two together as the weight of an edge (sim/stages), a matching of largest weight (internal/assign), and matched groups are merged until all fit. At most four rounds.
//  4. A group that would be slower than its jobs one after the other is dissolved (dissolve).
//  5. Groups get GPUs by their best job's place in the list; groups that do not fit wait. The jobs of a group hold equal shares of the same GPUs.
//
// # Ours
//
// Where the stages of a job are not measured (Telemetry), there are two: computing and exchanging
// gradients, by the speed model's compute fraction. Groups keep the GPUs that a job of theirs
// holds; the others are placed after that, the widest first, consolidated. A checkpoint that is
// being written keeps its GPUs: no job is chosen anew then, and who was chosen waits for them. A
// group whose CPU and memory no machine can carry is dissolved, and one that the memory of the
// smallest GPU cannot hold is not made. Jobs for a share of a GPU run alone. Jobs insist on a GPU
// type together. At most block groups are matched at once, in the order of the list.
//
// The authors' simulator has habits beside the algorithm: muri-sim follows it (fidelity/murisim), a
// Program under this policy.
//
// The faulty comparison of the original's matching, which may miss the optimum, is not followed.
// Where all jobs stress one resource it comes to the best pair first: with matching=greedy the
// authors' figures of such jobs are met to the digit.
//
// # Reading guide
//
// policy.go has the events, program.go what another program may do otherwise, config.go the
// settings, classes.go the stages of jobs, place.go who gets which GPUs, clone.go snapshots.
package muri
