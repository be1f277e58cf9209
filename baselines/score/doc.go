// Package score is a function that gives each job one number: the order of a queue is by the
// numbers, smallest first.
//
// One function scores all jobs by their features (permutation-equivariant), waiting and running
// ones alike. It is a sum of weighted terms, and may have one layer of tanh units beside it:
//
//	score = sum_i w_i t_i + sum_k o_k tanh(b_k + sum_i u_ki x_i)
//
// A policy search finds the weights; a person may write them by hand, and a text file holds them.
//
// Reading guide: inputs.go names what is known of a job, terms.go what is summed, func.go is the
// function, rule.go a function with all that a scheduler needs beside it, text.go its file, hand.go
// the weights of a few features in one line.
package score
