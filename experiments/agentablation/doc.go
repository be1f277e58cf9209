// Package agentablation asks: what of a learned preemption does the work?
//
// Question. PPO that chooses whom to preempt, warm-started from SRTF, on one setting (64 GPUs,
// synthetic jobs at a load of 0.9): whole; without the warm start; with each group of observations
// hidden from it; paid by each other reward.
//
// Prediction. Most of what it gains comes from the warm start and from the work left, without which
// SRTF cannot even be imitated. Free places and the queue hardly matter within so few steps.
// Slowdown as the reward favours short jobs and comes close to jct; makespan and comm say too
// little about any one eviction and lose.
//
// How to read it. jct_relative compares with auto-tuned Dally on the same windows, as a ratio of
// mean completion times: below 1 is better. What a group is worth is the distance of its point to
// that of "whole"; intervals are over training seeds and windows, two levels. A hidden group is one
// that the agent never saw, not one that is taken from it later. queue_p99_relative says who pays.
// Returns on validation are in the units of each reward: those paid by jct share a figure, the
// others have one each.
//
//	tarry sweep --question agentablation --scale small --out runs/agentablation
//	tarry figures runs/agentablation --out runs/agentablation/figures
package agentablation

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "agentablation",
		Title: "what of a learned preemption does the work?",
		Ask: "PPO that chooses whom to preempt, warm-started from SRTF, on one setting (64 GPUs, synthetic jobs at " +
			"a load of 0.9): whole; without the " +
			"warm start; with each group of observations hidden from it; paid by each other reward.",
		Predict: "Most of what it gains comes from the warm start and from the work left, without which SRTF cannot " +
			"even be imitated. Free places and the " +
			"queue hardly matter within so few steps. Slowdown as the reward favours short jobs and comes close to " +
			"jct; makespan and comm say too little " +
			"about any one eviction and lose.",
		Read: "jct_relative compares with auto-tuned Dally on the same windows, as a ratio of mean completion " +
			"times: below 1 is better. What a group " +
			"is worth is the distance of its point to that of \"whole\"; intervals are over training seeds and " +
			"windows, two levels. A hidden group is one " +
			"that the agent never saw, not one that is taken from it later. queue_p99_relative says who pays. " +
			"Returns on validation are in the units of " +
			"each reward: those paid by jct share a figure, the others have one each.",
		Specs:   specs,
		Figures: figures,
		Tables:  tables,
	}
}
