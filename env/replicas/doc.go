// Package replicas is the environment tarry/Replicas-v0: an agent states how many replicas services
// have, beside jobs that a scheduler runs on the same cluster. It is the operator learned
// (baselines/operate) with the choice left to an agent.
//
// # What is decided
//
// At every epoch of every_s (600 s), for each service in turn: one replica fewer, the same or one more.
// The operator starts and stops replicas where it finds room a microsecond later, lends machines
// without replicas to the jobs, and takes machines back.
//
// # Observation
//
// Box(11): what the operator reads of the service (operate.ReadingFeatures): load, replicas, backlog,
// the part of the last epoch's requests that were good, the hour of the day. No load to come is in it.
//
// # Reward
//
// At the end of an epoch: the mean over the services of the good part of the epoch's requests, minus
// price x the part of all replicas' GPUs that they hold. Of several services the last question of an
// epoch has the reward and the time; the others have reward and Elapsed 0. Elapsed is in epochs.
//
// # Rules
//
// operate.ScaleRules; the operator `learned:rule=NAME` plays the same. `coming` has the loads of the
// next epoch and is a bar, not a rival; `recent`, by the loads of the last epoch in the same way, is the
// placebo beside it.
//
// # Episode
//
// `hours` hours (24) from an empty cluster; jobs are generated and loads drawn anew in each window.
// Truncated at the first epoch at or after the end.
//
// # Version history
//
// v0: first version.
package replicas
