// Package sac is soft actor-critic (Haarnoja et al., arXiv:1812.05905) for bounded continuous
// actions: two critics, a Gaussian bounded by tanh, a temperature that keeps the entropy at a
// target.
//
// Reading guide: sac.go is the complete algorithm: collect, learn and the losses of critics, actor
// and temperature, in this order; policy.go the actor and how it acts; config.go the settings (what
// is known to work in an environment comes with its Spec); imitate.go the warm start from
// demonstrations; checkpoint.go saving and resuming. What is learned from is kept in agents/replay;
// what all learners share is in agents/learn. README.md is the page of evidence.
//
// A run is a pure function of its configuration and environments: the same seed gives the same
// weights for any GOMAXPROCS and any number of workers, and a run that is saved, killed and loaded
// ends in the same bytes.
package sac
