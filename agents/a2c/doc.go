// Package a2c is the synchronous advantage actor-critic (Mnih et al., arXiv:1602.01783, in its
// synchronous form) for discrete, masked and continuous actions.
//
// Reading guide: a2c.go is the complete algorithm: collect, learn and the loss, in this order;
// imitate.go a warm start; config.go its settings, what is known to work in an environment comes with its Spec;
// checkpoint.go saving and resuming. What all learners share is in agents/learn. README.md is the
// page of evidence.
//
// A run is a pure function of its configuration and environments: the same seed gives the same
// weights for any GOMAXPROCS and any number of workers, and a run that is saved, killed and loaded
// ends in the same bytes.
package a2c
