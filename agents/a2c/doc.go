// Package a2c is the synchronous advantage actor-critic (Mnih et al., arXiv:1602.01783, in its
// synchronous form) for discrete, masked and continuous actions.
//
// Reading guide: a2c.go is the training loop from top to bottom; config.go its settings;
// rollout.go what was collected; loss.go the loss; checkpoint.go
// saving and resuming. README.md is the page of evidence.
//
// A run is a pure function of its configuration and environments: the same seed gives the same
// weights for any GOMAXPROCS and any number of workers, and a run that is saved, killed and loaded
// goes on to the same bytes.
package a2c
