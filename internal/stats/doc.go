// Package stats computes the numbers of an evaluation and how far to trust them.
//
// Every interval carries Warnings: a doubtful result (few samples, dropped values, ties) is a
// number with a doubt beside it, not an error. Smaller is better or larger is better is always
// stated by the caller.
//
// The aggregates are from Agarwal et al., "Deep Reinforcement Learning at the Edge of the
// Statistical Precipice", NeurIPS 2021 (rliable): interquartile mean, optimality gap, probability
// of improvement, performance profiles. We differ: two policies that ran on the same jobs and seeds
// are compared in pairs, because their results are strongly correlated; and intervals are not
// bootstrapped, since the percentile bootstrap of two values holds 50 % and of five values 83 % of
// what it states it does. They are Student's, with the jackknife's variance (Estimate), on the
// logarithm for ratios and for means of numbers that are never below 0 (Amounts), which are skewed,
// and Clopper and Pearson's for shares; coverage_test.go states how often each covers, from two
// values on.
//
// Sums run in the order of the values, without vector instructions, so that results do not depend
// on the machine.
package stats
