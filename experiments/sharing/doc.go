// Package sharing asks: when is it better to share a near GPU than to wait for a free one?
//
// Question. Delay scheduling (Dally) lets a job wait for free GPUs that lie close together. A
// scheduler that shares GPUs need not wait: it puts the job beside another, and both are slower.
// What that costs depends on how strongly jobs on one GPU disturb one another, what waiting costs
// on the load, and what a near place is worth on the network. Where does each win, and what bound
// on the loss, and which moment of the wait, are right for Dally?
//
// Prediction. Stated before the sweeps, after six single runs at a load of 0.9 and a = 0.1 on the
// slowest network, made to measure the time of a run, in which Dally with sharing was 3 % ahead of
// Dally, and 7 % without timers. Sharing gains where GPUs are short and jobs disturb one another
// little: with a = 0 and a bound of 0.2 on the loss 5 to 15 % of the mean completion time at a load
// of 0.9, more at 1.1 and little at 0.6; at a = 0.3 nearly no pair is below the bound, so that it
// gains nothing and costs nothing. A bound of 0.5 gains more at a = 0 and loses at a = 1, where
// pairs together do less than one job alone. On slower networks sharing gains more, since a near
// place is what jobs wait for; it does not replace the timers: without them jobs spread before they
// share. Sharing only when the rack's timer has run out gains nearly nothing, as free places on the
// rack go first then. SJF-BSBF, which knows the work that is left, is ahead of all on the fast
// network by its order; schedulers that do not look at the network lose on the slow one.
//
// How to read it. All schedulers have the same jobs. The law of interference is nway: n jobs on a
// GPU each keep 1/(1 + a (n-1)) of their speed, and less where the busy parts of their models add
// up to more than the GPU has. Ratios are within seeds, with 95 % intervals.
//
// Reading guide. who.go has the schedulers, grid.go the sweeps, figures.go draws them, tables.go
// makes the tables of docs/sharing.md.
//
// Schedulers with several rules of places stand in the plain form and in the one, marked †, that
// validation chose on seeds from 1001.
//
//	tarry sweep --question sharing --scale small --out runs/sharing
//	tarry figures runs/sharing/* --question sharing --out runs/sharing-figures
package sharing

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "sharing",
		Title: "when is it better to share a near GPU than to wait for a free one?",
		Ask: "Delay scheduling lets a job wait for free GPUs that lie close together; a scheduler that shares GPUs " +
			"puts it beside another job, and both are slower. Where does each win, by " +
			"how strongly jobs disturb one another, by load and by network, and which bound on the loss is right?",
		Predict: "Sharing gains where GPUs are short and jobs disturb one another little: 5 to 15 % at a load of " +
			"0.9 with a = 0 and a bound of 0.2, nothing at a = 0.3, where nearly no pair is below the " +
			"bound. A bound of 0.5 gains more at a = 0 and loses at a = 1. Slower networks raise the gain, and " +
			"sharing does not replace the timers. Sharing only when the rack's timer has run out gains " +
			"nearly nothing. SJF-BSBF, which knows the work that is left, is ahead on the fast network; schedulers " +
			"that do not look at the network lose on the slow one.",
		Read: "The same jobs under all schedulers; n jobs on a GPU each keep 1/(1 + a (n-1)) of their speed, and " +
			"less where their busy parts add up to more than the GPU. Ratios are within seeds, with " +
			"95 % intervals.",
		Specs:   specs,
		Figures: figures,
		Tables:  tables,
	}
}
