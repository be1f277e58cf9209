// Package muri is the speed model of jobs that interleave their stages on shared GPUs, from the
// measurements that Muri's authors published (Zhao et al., "Multi-Resource Interleaving for Deep
// Learning Training", SIGCOMM 2022).
//
// Reading guide: Profile (profile.go) is the data, read from a folder; Model (model.go) is the
// sim.SpeedModel. What stages make of a group is in sim/stages.
//
// # The folder
//
// stages.csv is required: model, num_gpu, iteration_time_ms, resource_time_0_ms, resource_time_1_ms
// and resource_time_2_ms (loading, computing, exchanging gradients), and perhaps batch_size and
// start_overhead_s.
//
// # From iterations to rates
//
// An iteration of a job alone takes 1.015 x iteration_time_ms, as in Muri's simulator. Its work is
// the job's own: Work / Iterations, or an iteration's on the GPUs that the job asks for where
// it has no number of iterations. So a job alone on the GPUs that it asks for has the rate of their
// number. Jobs that hold the same GPUs are a group, and each has the group's iteration time. The
// compute fraction is the part of the iteration time of the job alone in which it does not exchange
// gradients.
//
// # Rules of ours
//
// Numbers of GPUs between two measured ones lie on the straight line between them; beyond the first
// and the last, what these take. Where GPUs are changes nothing. Jobs that share only some of their
// GPUs, and more than four jobs, are slower: they take turns, so that the time is the sum of all
// iteration times. The share that a job holds of its GPUs is a ticket that changes nothing: a stage
// runs when its resource is free. Clocks and batches follow the common rule of sim/speed.
package muri
