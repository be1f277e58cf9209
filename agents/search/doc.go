// Package search is the contract of methods that look for good static parameters: ask for points,
// give their costs, save.
//
// Reading guide. Space (space.go) is the parameters and how they lie in the unit cube; Method
// (search.go) is what an algorithm provides, Optimiser (optimiser.go) the book-keeping that all
// of them share; Top (top.go) is who did best. The algorithms are the folders of agents, searchtest
// is the suite that all of them pass.
//
// # Values
//
// A point is measured on windows of jobs, From to To. Every point is measured on the same windows,
// so that what the windows have in common cancels when two points are compared; a method sees the
// values one by one and may use their mean and standard error. Smaller is better. A value that is
// no finite number makes its point worth +Inf: worse than all others.
//
// # State
//
// The state of an optimiser is the log of what it asked and of the answers. Each batch draws from a
// stream of its own, so that no generator has to be saved, and a method with a state of its own is
// led through the log again when it is loaded: what it asks must be what it asked.
package search
