// Package pairs is the environment tarry/Order-v1: an agent chooses who runs and on which GPU type.
// It scores every pair of a job and a type, and the pairs take GPUs in the order of the scores, the
// least first; what follows from that order is the plan of the policy typed (baselines/typed).
//
// # What is decided
//
// The order of pairs. Each job gets the type of its first pair for which enough GPUs are left; a job
// that has its type already keeps its GPUs, one that has another type in the plan moves, and a running
// job without a type in it is preempted.
//
// # Decision epoch
//
// Each instant that is planned, in rounds and, unless eager is false, whenever jobs or GPUs come or
// go, at which two pairs or more compete.
//
// # Action
//
// Box: a score in -100..100 for each pair, `jobs` (128) places of as many pairs each as the cluster
// has types, in the order of its types (of a mixture: as the scenario with the most types). Scores of
// places without a pair do not count. The layout states that actions put the pairs in order, and Env
// is trait.Itemised.
//
// # Observation
//
// Dict{cluster, pairs}: the 12 of env/schedenv.ClusterFeatures, and the pressure of the queue; per
// pair (shape {jobs x types, 18}) a 1 where there is one, the inputs of its job that tarry/Order-v0
// has (env/order), whether it is too wide for every type, and the pair's own numbers (typed.PairText).
// Rows of no pair are 0. `tarry list envs tarry/Order-v1` prints them.
//
// The list has all jobs that compete, by arrival. If there are more than places, the jobs whose first
// pair is the least by the weights of the settings are in it; pairs of the others come after, in the
// order of these weights.
//
// What is known: speeds, progress so far, and the law of run times, a log-normal one or with
// predicted=true the law of the run's predictor; with exact=true the true run times.
//
// # Search
//
// The environment is trait.Searchable: a vector has the weights of the terms in `features`, and starts
// as the policy typed with the settings of the environment; the other weights stay as these settings
// are. Play simulates from the end of the warm-up to the last job; the cost is the mean completion
// time of the window's jobs (or by the setting cost another mean) over that under typed. Between the
// two ways to act nothing differs as long as all jobs have a place in the list.
//
// # Reward
//
// cluster.Reward: by default minus the jobs in the system integrated over time / (lease x GPUs). With
// reward=relative it is less what typed would have got on the same window.
//
// # Episode
//
// See env/schedenv: a warm start from a state that typed reached on the same window; truncation at the
// horizon; termination when all jobs have ended.
//
// # Version history
//
// v1: first version; tarry/Order-v0 orders jobs, without types.
package pairs
