// Package progress predicts how far training jobs are, as ONES does (SC 2021, arXiv 2108.03645):
// the part of its samples that a job has processed is Beta(a, b), where a is the number of epochs
// that it has trained and b is learned from jobs that have ended.
//
// The mean of the law is a/(a+b), so b is about the epochs that are left. It is
//
//	b = 1 + s max(0, f(x))
//
// where f is a network with one layer of tanh units over five features x, trained by maximum
// likelihood on an epoch of an ended job per row, and s the mean of the epochs left over these
// rows. s is ours, and so are features scaled to mean 0 and deviation 1, small batches, and that
// training starts from the weights there are. Before there are rows b is a, at least 1: as much is
// expected as has passed.
//
// Reading guide: law.go the Beta law, model.go rows and predictions, net.go the network and its
// training.
package progress
