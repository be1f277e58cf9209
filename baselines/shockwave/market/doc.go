// Package market solves the window problem of Shockwave (Zheng et al., NSDI 2023): how many of the
// next rounds each job gets, and which.
//
// With y_jr = 1 where job j runs in round r, n_j = sum over r of y_jr, J jobs, R rounds of D
// seconds and G GPUs it is
//
//	maximise    1/(J R) sum_j w_j log~((done_j + p_j) / E_j)  -  k max_j left_j
//	where       left_j = max(0, remaining_j - p_j d_j),  p_j <= n_j D / d_j,  p_j <= E_j - done_j
//	subject to  sum_j g_j y_jr <= G for each r,  left_j <= limit_j
//
// log~ is the logarithm made of straight pieces between given progresses, with a floor at 0; d_j is
// the length of an epoch, E_j their number.
//
// # How it is solved
//
// Rounds are alike, so the counts n_j come first. The value of a count is a concave function of n,
// and the term of the largest left_j is a least count for each job once its value M is fixed. For a
// given M the problem is a knapsack of G x R GPU-rounds. Jobs of the same gang size are
// exchangeable in it: the best use of m rounds among them takes the m steepest steps, so that a
// table over the few gang sizes gives the optimum (Solver.exact), of which core.go leaves the part that
// can hold one. The relaxation for the same M
// takes the steepest steps per GPU, the last one in part (Solver.relaxed); it bounds the optimum
// from above. Only the values of M at which some least count changes can be optimal. A span of them
// is bounded by the relaxation for its largest and the time of its least; the span with the largest
// bound is halved, or solved where it is one value, until no bound is above the best found by more
// than the gap that is asked for.
//
// Counts fit into rounds whenever each gang size divides the next larger one and the number of GPUs
// (McNaughton's rule, one size after the other); Order then states which rounds they are.
package market
