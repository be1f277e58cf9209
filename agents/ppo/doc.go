// Package ppo is proximal policy optimisation (Schulman et al., arXiv:1707.06347) for discrete,
// masked and continuous actions.
//
// Reading guide: ppo.go is the complete algorithm from top to bottom: annealing, the rollout,
// generalised advantage estimation with its bootstrap, the minibatches, the clipped losses.
// Comments such as "detail 5:" number the details of Huang et al., "The 37 implementation details
// of proximal policy optimization" (ICLR blog track, 2022); README.md, the page of evidence, lists
// all of them. minibatch.go has the inputs of the loss, learner.go the construction, config.go the
// settings (what is known to work in an environment comes with its Spec), checkpoint.go saving and
// resuming.
//
// Options beyond the paper have files of their own: average.go, the differential form for tasks
// without an end; baseline.go, returns without a critic; rollouts.go, environments that play the same
// episodes and are compared; noise.go, noise that lasts for an episode,
// where actions put a list in order; imitate.go, the warm start from a demonstrator; extend.go, a
// longer run. The actor and critic are in agents/policy; what all learners share is in
// agents/learn.
//
// A run is a pure function of its configuration and environments: the same seed gives the same
// weights for any GOMAXPROCS and any number of workers, and a run that is saved, killed and loaded
// ends in the same bytes.
package ppo
