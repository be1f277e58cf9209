// Package pick is the environment tarry/Pick-v0: RLScheduler's protocol (Zhang et al., SC 2020)
// with an agent that picks which waiting job is next. The picked job stays first: nothing else
// starts until it fits, and no job is preempted. It is the policy picked (baselines/queueing) with
// the choice left to an agent.
//
// # What is decided
//
// One waiting job. With backfill=fcfs, while it waits, other jobs start in order of arrival if they
// fit and, by their requests, end before its earliest start. Events of one instant are taken in one
// at a time, as the published program does.
//
// # Decision epoch
//
// Each time that no job is picked and two or more wait; many picks may be made at one instant. A
// single job is picked without a question.
//
// # Action
//
// Discrete(jobs), masked: i picks the job in place i of the list of `jobs` (128). The list has the
// waiting jobs in order of arrival; if there are more than places, the jobs with the shortest
// requests are in it, and the others wait until there is room.
//
// # Observation
//
// Dict{queue, jobs}: two numbers of the queue (shape {2}), then per place of the list (shape {jobs,
// 8}) a 1 where there is a job and the inputs of baselines/picking (InputText). Rows of no job are 0;
// all numbers lie in -32..32. `tarry list envs tarry/Pick-v0` prints them.
//
// We differ from RLScheduler, which scales wait, request and processors linearly, and shows user,
// group and executable, of which the Lublin logs have none.
//
// What is known. The request, and nothing else of how long a job runs. Where a run has no predictor
// (predict=none) requests are the run times, as they are in the Lublin logs: agents are then marked
// as clairvoyant, like SJF. With predict=request they are what users asked for.
//
// # Search
//
// The environment is trait.Searchable: a vector has the weights of the terms of baselines/picking
// and of `hidden` tanh units, and starts as the rule `start`. Play simulates a window to its last
// job, and picks out of all jobs that wait; the cost is the window's mean bounded slowdown over
// that under `reference`. Between the two ways to act nothing differs as long as all jobs have a
// place in the list.
//
// # Reward
//
// By default bsld: an episode's return is minus the mean bounded slowdown (10 s) of the window's
// jobs, which accrues while jobs are in the system. The other kinds are cluster.Reward's.
//
// # Episode
//
// A window of window_jobs (256) jobs that come one after another, at the times of the log, from an
// empty cluster to the last job; without a trace, of so many generated ones.
// test_starts=rlscheduler,test_jobs=1024 keeps the ten windows of the published tables for part
// test: no job of these is in training or validation. Published training draws its windows from the
// same 10000 jobs.
//
// # Version history
//
// v0: first version.
package pick
