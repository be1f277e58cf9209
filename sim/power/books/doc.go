// Package books adds up the energy of a run: by machine and state, by job, its cost and its carbon.
//
// Reading guide: Book (book.go) is an observer that receives the states of machines and the draws of
// jobs; settle.go moves it through time, meter.go has prices and caps, energy.go exact sums, read.go
// what is read.
//
// Watts are rounded to nanowatts when they begin and time is in microseconds, so that sums are whole
// numbers: books of machines, of jobs and of the cluster agree to the last bit, however an interval
// is split.
package books
