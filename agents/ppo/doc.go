// Package ppo is proximal policy optimisation (Schulman et al., arXiv:1707.06347) for
// discrete, masked and continuous actions.
//
// Reading guide: ppo.go is the training loop from top to bottom; config.go its settings;
// agents/policy has the actor and the critic; rollout.go what was collected; loss.go
// the loss; imitate.go the warm start from a demonstrator; checkpoint.go saving and
// resuming; row.go what is told of each update. README.md is the page of evidence.
//
// A run is a pure function of its configuration and environments: the same seed gives the
// same weights for any GOMAXPROCS and any number of workers, and a run that is saved,
// killed and loaded goes on to the same bytes.
package ppo
