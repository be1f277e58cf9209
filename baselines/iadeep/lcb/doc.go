// Package lcb tunes the batch sizes of tasks that share GPUs: a search of a grid by the lower
// confidence bound of a Gaussian process, as IADeep does (SC 2023).
//
//  1. Five batches around a task's own b are measured, b + 16 (i-3) for i = 0..4. What lies outside the grid is moved to its end.
//  2. A Gaussian process with the kernel s0^2 + x.y + noise is conditioned on the degradations measured so far, scaled to [0, 1].
//  3. The point of the grid with the least |mu - sigma beta| is next, beta = sqrt(2 ln(samples)) / iteration. It is measured, and so on.
//  4. The search ends after 50 iterations, or when ten of them have changed the degradation by at most 0.01. The measured point with the least degradation is kept.
//
// # What is ours
//
// The published program moves on by predicted degradations; here every point is measured. A point
// that comes up again is not: it counts as one that changes nothing. Batches are scaled to [0, 1]
// over the grid, and s0 and noise are the pair of a small grid with the largest marginal
// likelihood. sigma is the function's, without noise. Several tasks are sampled in a Latin square,
// and the grid is the product, with fewer steps for each, so that it has at most MostPoints points.
//
// Reading guide: grid.go which batches there are; process.go the Gaussian process; search.go which
// is next.
package lcb
