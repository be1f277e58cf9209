// Package auction is the partial-allocation auction of K. Mahajan et al., "Themis: Fair and
// Efficient GPU Cluster Scheduling", NSDI 2020, after the mechanism of R. Cole, V. Gkatzelis and G.
// Goel, "Mechanism design for fair division: allocating divisible items without payments", EC 2013.
//
//  1. Each bidder gives a table: its value, > 0, at 0, 1, ... GPUs of the offer.
//  2. The split of the offer maximises the product of the values (proportional fairness). Of splits whose products are within Tie of the largest, the
//     first in lexicographic order of the counts is taken.
//  3. The hidden payment: bidder i keeps the fraction c_i = (product of the others' values in that split) / (largest product of the others without i) of what it won.
//
// Reading guide: auction.go is all of it: a dynamic programme over bidders and counts, from the
// front and from the back, so that the n problems without one bidder cost no more than the one with
// all. product.go is a product that neither overflows nor underflows.
//
// The cost is n x GPUs x (steps of a table) for n bidders: a step is a count at which the value
// rises, so a bidder that wants all or nothing has one. Bids are by count, never by set of GPUs, so
// nothing is exponential. Where GPUs have more value close together a bidder bids at each count the
// value of the finest placement class in which the offer has that count for it alone: to pack the
// bidders of one auction into machines as well as possible is bin packing.
//
// # What is true of it
//
// The product is compared as a product, not as a sum of rounded logarithms. Bidder i's value times
// c_i is (product of all values at the split) / (largest product without i); the bid of i does not
// enter the divisor, and no other bid gives a larger dividend. So no bidder gains by bidding
// something else, if what it has of a fraction c of its GPUs is c times the value: a value
// homogeneous of degree one, with nothing at 0 GPUs. The values of jobs are neither: 1/rho is
// positive at 0 GPUs, speed grows by less than the GPUs, and a fraction of GPUs is rounded to whole
// ones. Then truth-telling is an approximation; TestTruth measures which statements are exact.
// Scaling a table by a constant changes no outcome at all.
package auction
