// Package powercap keeps the power of a cluster below a cap by lower clocks.
//
// Reading guide: price.go finds clocks under a cap by a price of power, and how far they can be from
// the best.
package powercap
