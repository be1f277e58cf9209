// Package dqn is deep Q-learning (Mnih et al., Nature 518, 2015) for discrete and masked actions:
// double (van Hasselt et al., arXiv:1509.06461), duelling (Wang et al., arXiv:1511.06581), over one
// or several steps.
//
// Reading guide: dqn.go is the complete algorithm: collect, learn and the loss, in this order;
// policy.go the network and how it acts; config.go the settings (what is known to work in an
// environment comes with its Spec); imitate.go the warm start from demonstrations; checkpoint.go
// saving and resuming. What is learned from is kept in agents/replay; what all learners share is in
// agents/learn. README.md is the page of evidence.
//
// A run is a pure function of its configuration and environments: the same seed gives the same
// weights for any GOMAXPROCS and any number of workers, and a run that is saved, killed and loaded
// ends in the same bytes.
package dqn
