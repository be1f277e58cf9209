// Package dispatch is the environment tarry/Dispatch-v0: the dispatch of KaiS (Han et al., IEEE INFOCOM
// 2021) as many agents with one policy. Each cluster hands its requests to a node of any cluster or to
// the cloud; its agents are asked in turn. The world is sim/service/dispatch, which the shared runs of
// KaiS' demo hold number for number.
//
// # What is decided
//
// The target of one request: the one at the cluster with the earliest deadline. A cluster is asked
// `turns` times in a slot at most, all clusters in turn.
//
// # Time and returns
//
// Time stands between the questions of a slot: Elapsed is 0 until the last one, which ends the slot and
// has its reward. Discounted by gamma^Elapsed, each question of a slot has the same return but for what
// later ones change: the return of the team. Of slots that pass without a question the rewards sum to
// the step before, not discounted, and Elapsed counts them.
//
// # protocol=fair
//
// CPU comes back when a request ends. The reward is minus the requests missed in the slot / requests
// expected in an episode, so that a return is the served part less 1. Observed are the cluster's own
// request and queue, sums of the others, and for each target what least-delay reads: agents and rules
// have the same information. The segment queues, for critics alone, has all clusters. At the published
// load of one request per slot and cluster rules differ by 0.02 to 0.03 of the served part: the default
// is three times the requests and four turns, where they differ by 0.1.
//
// # protocol=kais
//
// The released demo: CPU never comes back, one turn, the observation of 88 numbers at the beginning of
// the slot, in their own units and with its slip: CPU and memory are of the first cluster for
// both. The reward is the sum over clusters of exp(-missed part) + exp(-s), s being the sample standard
// deviation of the free fractions of CPU and memory of the cluster's nodes. We differ from it in that a
// cluster without a request is not asked: there its choice has no effect. Where pods stand does not
// change: the demo's second agent, which moves pods by a graph network, is left out.
//
// # Episode
//
// `slots` slots (400) from an empty world, truncated at the first question at or after their end.
// Requests are drawn as in the shared runs: Poisson arrivals, equally likely types, works and
// deadlines.
//
// # Version history
//
// v0: first version.
package dispatch
