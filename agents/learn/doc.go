// Package learn is what all learners share: counts and the guard against a failed update,
// environments that are stepped side by side, rollouts with their advantages, checkpoints, the
// faults of a configuration, and the figures of an update.
//
// Reading guide. A learner has a Run (run.go), which counts updates, steps and episodes (tally.go),
// and opens its Envs (envs.go). Learners on the policy fill a Rollout (rollout.go), whose
// advantages ppo.GAE sets; those off the policy have agents/replay. Each update gives a Row
// (row.go). A Checkpoint (checkpoint.go) lists what a learner saves; same.go refuses one of another
// run. Imitation and Demonstrator (imitate.go) are a warm start; Faults (faults.go) what is wrong
// with settings.
package learn
