// Package congestion asks: what is consolidation worth on a busy network?
//
// Question. Other traffic takes a share of the links between machines and racks. How does the share
// of time spent in communication grow with it, and how much of it do the timers avoid?
//
// Prediction. Without congestion the policies differ little. As the network fills up, policies that
// take any place lose most; timers that wait for one rack or machine keep the share nearly flat.
//
// How to read it. comm_frac and jct_mean against the part of the network that is taken, with 95 %
// intervals over seeds; jct_relative compares with Dally on the same jobs.
//
// Orders that say nothing of places stand in the plain form and in the one, of consolidation and
// delay timers, that validation chose on seeds from 1001.
//
//	tarry sweep --question congestion --scale small --out runs/congestion
//	tarry figures runs/congestion --out runs/congestion/figures
package congestion

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "congestion",
		Title: "what is consolidation worth on a busy network?",
		Ask: "Other traffic takes a share of the links between machines and racks. How does the share of time " +
			"spent in communication grow with it, and how much of it do the timers avoid?",
		Predict: "Without congestion the policies differ little. As the network fills up, policies that take any place" +
			" lose most; timers that wait for one rack or machine keep the share nearly flat.",
		Read: "comm_frac and jct_mean against the part of the network that is taken, with 95 % intervals over " +
			"seeds; jct_relative compares with Dally on the same jobs.",
		Specs:   specs,
		Figures: figures,
	}
}
