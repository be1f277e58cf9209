// Package shockwave is the speed model of jobs whose batch size changes while they train, as
// Shockwave's authors published their profiles (Zheng et al., "Shockwave: fair and efficient
// cluster scheduling for dynamic adaptation in machine learning", NSDI 2023).
//
// Reading guide: Profile (profile.go) is the data, read.go reads it from a folder; Model (model.go)
// is the sim.Progressive.
//
// # The folder
//
// v100_isolated.csv is required: job_type (model and batch size, such as "LM (batch size 10)"),
// scale_factor (GPUs), steps_per_s of the whole job; 0 states that it does not run.
//
// bs_pattern_TRACE.csv has the batch size of each epoch of each job of one trace, as runs: job,
// epochs (of all of it), samples_per_epoch, first_epoch (from 0) and batch_size from there on.
//
// # From epochs to rates
//
// An epoch is ceil(samples / batch) steps. A job's work is its steps at the initial batch b0 times
// IterS, the time of one on the reference GPU, so that an epoch is E = ceil(samples / b0) x IterS
// of work whatever its batch b, and
//
//	rate = E x (steps per second at b) / ceil(samples / b)
//
// The marks are the ends of epochs at which the batch changes. The compute fraction is the
// throughput on g GPUs over g times that on one, at most 1.
//
// # Rules of ours
//
// Where GPUs are changes nothing, and all count as V100. The knob Batch is relative to the batch of
// the present epoch; a batch that was measured has its throughput, another one follows the common
// rule of sim/speed, as shares and clocks do. A part of an epoch is as fast as the epoch.
package shockwave
