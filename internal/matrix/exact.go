//go:build !openblas

package matrix

// Arithmetic names how this build computes products.
const Arithmetic = Exact

// leastStep is the least part of a sum of Left that is added up on its own.
const leastStep = 1
