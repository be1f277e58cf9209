// Package harmony is harmony-like, after Y. Bao, Y. Peng and C. Wu, "Deep Learning-based Job Placement
// in Distributed Machine Learning Clusters", INFOCOM 2019, of which only the abstract is at hand:
// whole jobs are placed where they interfere least, by a reward model that fills in what placements
// would give that were never seen. Here the model is a table of interference that is learned online:
//
//  1. When a job ends its last speed is read. What it kept of the best speed that was seen of its model,
//     on as many GPUs as close together, is noted beside the model of each job that shared a machine
//     with it.
//  2. Waiting jobs come in order of arrival; a job that fits nowhere is passed over.
//  3. For a job three sets of GPUs are judged: packed, emptiest machines first, leftovers first; and
//     one on the machines on which the table expects the least loss.
//  4. The set with the largest reward is taken, the first of equals: the GPUs of the job x what it is
//     expected to keep there, less what its neighbours are expected to lose.
//
// # What is theirs and what is ours
//
// Theirs are placing whole jobs, the reward of normalised speed, and a model that is learned of it
// beside the policy. The published policy is a deep network trained by an actor-critic with
// exploration that looks at jobs; with the reward model at hand the best of a few sets needs no such
// network. The pairwise table, its prior (a pair that was never seen keeps all), sets and queue are
// ours. Jobs share a machine if both have GPUs of it; a job on one machine meets others too, as CPU
// and memory are shared there, and the table learns whether that matters.
package harmony

// Params describes the settings for the catalogue.
const Params = `prior      observations of a pair that keeps all its speed which are there from the start
others     weight of what the neighbours lose
block      true: stop at the first job that does not fit | false: pass over it`
