// Package matrix has products of matrices whose bits do not depend on the processor or the build.
//
// Matrices are slices, row by row without gaps. The order of every sum is fixed, and every product
// is rounded before it is added (no fused multiply-add):
//
//   - Product, Add and AddRight add the terms of a sum one after the other, in the order of the
//     inner index.
//   - Left keeps four sums, of the terms 0, 4, 8, ..., of 1, 5, 9, ... and so on, adds what is left
//     at the end of the row to the first, and ends with (0+2) + (1+3).
//
// These are the sums of gonum's assembly, so no number moved when they came. There is one
// difference: gonum skips factors of exactly 0, and here 0 times an infinite number is NaN.
//
// On amd64 with AVX2 assembly computes four sums at a time; elsewhere, and with the build tag
// purego, plain Go computes the same bits.
package matrix
