// Package pac is an actor-critic with a store by priorities, as DL2 trains its scheduler (Peng et
// al., "DL2: A Deep Learning-Driven Scheduler for Deep Learning Clusters", IEEE TPDS 32(8), 2021,
// arXiv:1909.06040): for environments in which many decisions are made in one instant, a slot.
//
// Every decision of a slot has the slot's reward as its return, without discounting what comes after
// (returns=slot, as published), or with the value of what comes after (returns=bootstrapped). Decisions
// are kept in a store and drawn again by priority: at first max(1, return - mean of the store), later
// the size of the last error of the critic. After each slot the networks learn from one minibatch: the
// gradient of -log pi(a) (return - value), corrected for how it was drawn, with an entropy bonus. There
// is no ratio to the policy that acted: old decisions count as they are.
//
// We differ: the three exploration rules that DL2 writes into its actions (kinds of action that are
// hardly used, jobs that fall behind, and the ratio of workers to servers) are left out, for they
// name quantities of one environment. Its networks normalise each batch; ours do not.
//
// Reading guide: pac.go is the complete algorithm: collect, learn and the loss, in this order;
// config.go the settings; imitate.go the supervised start; checkpoint.go saving and resuming; the store
// is Slots in agents/replay. README.md is the page of evidence.
//
// A run is a pure function of its configuration and environments: the same seed gives the same
// weights for any GOMAXPROCS and any number of workers, and a run that is saved, killed and loaded
// ends in the same bytes.
package pac
