// Package reinforce is the policy gradient of Williams (1992) with the input-dependent baseline of
// Mao et al. (ICLR 2019, arXiv:1807.02264), as Decima trains its scheduler (SIGCOMM 2019), for
// discrete, masked and continuous actions.
//
// What a scheduler earns depends above all on the jobs that happen to arrive, which it does not
// choose. So several rollouts share one sequence of arrivals and differ in the policy's random
// draws only; how each of them does is judged against the mean of all at the same simulated time.
//
// Reading guide: reinforce.go is the complete algorithm: collect, learn and the loss, in this
// order; track.go one rollout and its returns; baseline.go the baselines; config.go the settings
// (what is known to work in an environment comes with its Spec); checkpoint.go saving and resuming.
// What all learners share is in agents/learn. README.md is the page of evidence.
//
// A run is a pure function of its configuration and environments: the same seed gives the same
// weights for any GOMAXPROCS and any number of workers, and a run that is saved, killed and loaded
// ends in the same bytes.
package reinforce
