// Package sac is soft actor-critic (Haarnoja et al., arXiv:1812.05905) for bounded continuous
// actions: two critics, a Gaussian bounded by tanh, a temperature that keeps the entropy at a
// target.
//
// Reading guide: sac.go is the training loop from top to bottom; config.go its settings;
// policy.go the actor; loss.go the losses of critics, actor and
// temperature; imitate.go the warm start from demonstrations; checkpoint.go saving and resuming. README.md is the page of evidence. What is
// learned from is kept in agents/replay.
//
// A run is a pure function of its configuration and environments: the same seed gives the same
// weights for any GOMAXPROCS and any number of workers, and a run that is saved, killed and
// loaded goes on to the same bytes.
package sac
