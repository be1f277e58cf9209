// Package paper asks: does waiting for a better place shorten makespan and completion times?
//
// Question. The Dally paper's main claim: on a list of jobs that are all there at time 0 and on
// Poisson arrivals, delay timers and network-sensitive preemption lower makespan and mean
// completion time against Tiresias, Gandiva and schedulers that consolidate at any price.
//
// Prediction. Against a scheduler that waits for one machine whatever it costs, makespan falls by
// half or more, since the last jobs do not queue for machines. Against Gandiva and Tiresias the
// difference in mean completion time depends on how much the network slows the jobs.
//
// How to read it. makespan and jct_mean are means with 95 % intervals over seeds; the two relative
// figures compare with consolidate on the same jobs, as ratios where some are large: below 1 is
// better. profile is the share of runs in which a policy is within a factor of the best. jct_cdf
// shows all jobs; where curves cross, one policy helps short jobs at the price of long ones.
// timeline shows who holds the GPUs of the first seed.
//
//	tarry sweep --question paper --scale small --out runs/paper
//	tarry figures runs/paper --out runs/paper/figures
package paper

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "paper",
		Title: "does waiting for a better place shorten makespan and completion times?",
		Ask: "The Dally paper's main claim: on a list of jobs that are all there at time 0 and on Poisson " +
			"arrivals, delay timers and network-sensitive preemption lower makespan and mean completion time " +
			"against Tiresias, Gandiva and schedulers that consolidate at any price.",
		Predict: "Against a scheduler that waits for one machine whatever it costs, makespan falls by half or more, " +
			"since the last jobs do not queue for machines. Against Gandiva and Tiresias the difference in mean " +
			"completion time depends on how much the network slows the jobs.",
		Read: "makespan and jct_mean are means with 95 % intervals over seeds; the two relative figures compare " +
			"with consolidate on the same jobs, as ratios where some are large: below 1 is better. profile is the " +
			"share of runs in which a policy is within a factor of the best. jct_cdf shows all jobs; where " +
			"curves cross, " +
			"one policy helps short jobs at the price of long ones. timeline shows who holds the GPUs of the " +
			"first seed.",
		Specs:   specs,
		Figures: figures,
	}
}
