// Package ppo is proximal policy optimisation (Schulman et al., arXiv:1707.06347) for
// discrete, masked and continuous actions.
//
// Reading guide: ppo.go is the complete algorithm: collect, advantages, learn and the loss, in this order. Its
// comments number the details of Huang et al., "The 37 implementation details of proximal policy optimization" (ICLR
// blog track, 2022). config.go has the settings (what is known to work in an environment comes with its Spec);
// average.go the differential form for tasks without an end; noise.go noise that lasts for an episode, where actions put a list in order; imitate.go the warm start from a demonstrator;
// checkpoint.go saving and resuming, extend.go a longer run. The actor and critic are in agents/policy; what all
// learners share is in agents/learn. README.md is the page of evidence.
//
// A run is a pure function of its configuration and environments: the same seed gives the
// same weights for any GOMAXPROCS and any number of workers, and a run that is saved, killed and
// loaded ends in the same bytes.
package ppo
