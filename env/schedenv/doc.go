// Package schedenv is what the environments over the simulator share: windows of jobs, warm starts,
// rewards, features, and the seam between a scheduler that asks and an agent that answers.
//
// Reading guide. Scheduler (scheduler.go) is a policy with a question in the middle; Env (env.go)
// drives one with the agent outside, AsPolicy with a frozen agent inside, over the same code.
// Config and Read (config.go) hold what can be set; package scenario where hardware and jobs come
// from and why training, validation and test share none; window.go keeps the state after a warm-up;
// Reward (reward.go) what the agent is paid for; features.go what observations have in common;
// snapshot.go how an episode is saved.
//
// # An episode
//
// A window of jobs begins with an empty cluster. The base policy runs it for the warm-up; the state
// then reached is kept and every episode on that window starts from it. The agent is asked from
// then on. A frozen agent that is measured as a policy (AsPolicy) decides from the first job, as
// every other policy does, unless Config.WarmBase is set. The episode is truncated at the first
// question at or after the horizon (the observation is that question, so that a learner can
// bootstrap), and terminated when all jobs have ended.
//
// # Time
//
// Questions are not equally far apart, and how far depends on what the agent does. Rewards are
// therefore integrals over simulated time, all of it, and Info.Elapsed is the length of the step in
// leases: discount by gamma^Elapsed, never by gamma per step. Without a discount (gamma=1,
// average=0) the rewards of kind jct sum to minus the jobs' time in the system between the first
// question and the end of the episode, divided by lease x GPUs, exactly.
//
// # Sizes
//
// Observations have the same shape on every cluster: they are ratios to its own size, per demand
// relative to its own machines, and times are in leases. An agent trained on 64 GPUs can be run on
// 4096; no number of one trace is in them.
package schedenv
