// Package vector has the passes over slices of numbers that learners make beside products of
// matrices: sums of rows, slopes of activations, the steps of optimisers.
//
// Each number of a result follows from the numbers at its place, or from a column of them in order,
// by single operations that round on their own (sum, product, quotient, root). So four at a time,
// in assembly on amd64 with AVX2, give the bits of one at a time in plain Go, which other
// processors and builds with the tag purego use.
package vector
