// Package order is the environment tarry/Order-v0: an agent chooses who goes first. It scores every
// job, waiting and running ones alike, and the least score chooses first in Dally's contest
// (baselines/dally); placement, delay timers and leases stay Dally's.
//
// # What is decided
//
// At each instant the contest runs in the order of the scores. Then, while the first in order that
// found no place lacks GPUs, and the running jobs whose score exceeds its own by more than the
// margin hold enough, the last of these gives its GPUs up (evict=later of baselines/variants).
// Equal scores: the job that has waited longest goes first, with ties=submit the one submitted
// first.
//
// With places=program the agent scores the waiting jobs alone: nothing is preempted, an integer
// program (baselines/rltune) maps the jobs at the front of the order to machines, and there are no
// globals. It is asked when two jobs wait and a GPU is free.
//
// # Decision epoch
//
// Each instant at which a job waits or its lease is up, at least two jobs are shown, and something
// is free or a job could be evicted.
//
// # Action
//
// Box: a score in -100..100 for each of `jobs` (128) places of the list, scores of places without a
// job do not count. With globals=true, the default, four numbers follow:
//
//	margin      by how much a score must exceed the blocked job's before its job is evicted; 16 = none is
//	ln_min_run  ln(leases that a job keeps its GPUs before it is evicted)
//	ln_t_rack   ln(leases of waiting after which a rack is accepted)
//	ln_t_net    ln(leases of waiting after which any GPUs are)
//
// With globals=false they are the options margin, min_run, t_rack and t_net, and actions are about
// single jobs alone, as set networks need it: the layout states that they put the jobs in order,
// and Env is trait.Itemised, so that an agent can know a job again.
//
// # Observation
//
// Dict{cluster, jobs}: the 12 of env/schedenv.ClusterFeatures, and the pressure of the queue; per
// place of the list (shape {jobs, 12}) a 1 where there is a job and the inputs of baselines/score
// (InputText); left and request are there only if features has them, or a term of theirs. Rows of no
// job are 0. `tarry list envs tarry/Order-v0` prints them.
//
// Logarithms of times and the pressure move in steps of 1/8, the latter at most every quarter of a
// lease. The list has the jobs that contest, in the order of submits, then the running jobs. If
// there are more than places, the waiting jobs with the least rank and the running jobs with the
// largest are in it, half of it for each if both need it; the others come after all that contest,
// and are not evicted.
//
// What is known. Nothing of the future: progress so far, and the law of run times, a log-normal one
// fitted to the jobs of up to 16 windows of part train unless median_s and spread are given, or
// with predicted=true the law of the run's predictor.
//
// # Search
//
// The environment is trait.Searchable: a vector has the weights of the terms in `features`
// (baselines/score), the weights of `hidden` tanh units, and the globals where the action has them.
// Play simulates from the end of the warm-up to the last job; the cost is the mean completion time
// of the window's jobs over that under Dally, with leases, or by the settings cost and reference.
// Between the two ways to act nothing differs as long as all jobs have a place in the list.
//
// # Reward
//
// cluster.Reward: by default minus the jobs in the system integrated over time / (lease x GPUs).
// With reward=relative it is less what Dally would have got on the same window.
//
// # Episode
//
// See env/schedenv: a warm start from a state that Dally reached on the same window; truncation at
// the horizon; termination when all jobs have ended.
//
// # Version history
//
// v0: first version.
package order
