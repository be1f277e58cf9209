// Package picking is a score by which the next job of a queue is picked, smallest first, from what
// RLScheduler's agents see of a job (Zhang et al., SC 2020): its wait, the run time that it asks
// for, its processors, and whether it could start now.
//
// The score is a sum of weighted terms, and may have one layer of tanh units beside it:
//
//	score = sum_i w_i t_i + sum_k o_k tanh(b_k + sum_j u_kj x_j)
//
// Nothing but the request states how long a job runs. SJF, FCFS and F1 of RLScheduler's tables are
// such scores (Named), so that a search over the weights begins at one of them. A text file holds
// the weights.
//
// Reading guide: inputs.go states what is known of a job, terms.go what is summed, func.go is the
// function, text.go its file.
package picking
