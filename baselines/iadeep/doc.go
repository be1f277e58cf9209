// Package iadeep is IADeep: W. Chen, Z. Mo, H. Xu, K. Ye and C. Xu, "Interference-aware
// Multiplexing for Deep Learning in GPU Clusters: A Middleware Approach", SC 2023. Several training
// tasks are on a GPU; each new one goes where they will slow one another down least, then batch
// sizes are tuned.
//
//  1. A GPU is left out while batches of a task on it are tuned, where memory is short, and where the GPU or its memory is busy for 99 % or more.
//  2. An idle GPU is taken at once.
//  3. Else that with the least predicted degradation of the tasks there and the new one together: the sum of (t - t0)/t0 over them, t the time that a task takes for some
//     progress, t0 alone. What was measured for the same set of models counts; else a regression, after 21 measurements; else 0 (package history).
//  4. When a task has joined others, the degradation is measured and remembered, and batches are tuned: the batches of the new task, and of tasks there that were not tuned yet. Batches
//     around their own are measured first, then batches that a Gaussian process suggests, at most 50 (package lcb). The best that was measured stays.
//  5. The GPU is open again. If a task ends or fails in between, the tuning is given up and the best so far stays.
//
// The steps are from the authors' program.
//
// # Batches and convergence
//
// A batch changes speed alone: the speed models give more progress per second for a larger batch,
// as communication is spread over more samples, and nothing states that a job needs more samples
// then. So tuning looks better here than it is, unless the run states --efficiency, with which a
// larger batch learns less per sample. Memory does not grow with the batch either.
//
// # What is ours
//
//   - In the program the search moves on by predicted degradations and its regression learns a
//     wrong column; here degradations are measured, and the regression is another one.
//   - A trial takes a fixed time (trial). Times are per unit of progress, so that a smaller batch
//     is no gain by itself. Times alone are known from the speed model.
//   - Of a gang, every GPU counts by itself in the choice; it is put on one machine if one has GPUs
//     enough, else in one rack, else anywhere. Its degradation is over all tasks beside it.
//   - A job of unknown memory gets GPUs of its own (unknown=alone), at most so many are on a GPU
//     (most), and a job that does not fit blocks no other. Jobs without a stated batch have a
//     stated one (batch).
//   - Utilisation is of jobs alone, times the part of its speed that each has.
//   - Shares are tickets of 1000/n (package colocate).
//
// Reading guide: policy.go events and order; place.go the choice; tuning.go trials.
package iadeep
