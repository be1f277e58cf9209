// Package tails asks: who waits longest?
//
// Question. Means hide the jobs that wait for days. How do the 95th and 99th percentile of the
// queueing delay grow with the load, and whose are they?
//
// Prediction. Preemptive policies that serve the network-sensitive first keep the median low and
// pay for it in the tail; first-come-first-served has the opposite profile.
//
// How to read it. queue_p95 and queue_p99 against the load, with 95 % intervals over seeds;
// queue_cdf shows every job's delay at the highest load on a logarithmic axis, where its left end
// is the share of jobs that waited for 36 s or less.
//
// Orders that say nothing of places stand in the plain form and in the one, of consolidation and
// delay timers, that validation chose on seeds from 1001.
//
//	tarry sweep --question tails --scale small --out runs/tails
//	tarry figures runs/tails --out runs/tails/figures
package tails

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "tails",
		Title: "who waits longest?",
		Ask: "Means hide the jobs that wait for days. How do the 95th and 99th percentile of the queueing delay " +
			"grow with the load, and whose are they?",
		Predict: "Preemptive policies that serve the network-sensitive first keep the median low and pay for it in the" +
			" tail; first-come-first-served has the opposite profile.",
		Read: "queue_p95 and queue_p99 against the load, with 95 % intervals over seeds; queue_cdf shows every " +
			"job's delay at the highest load on a logarithmic axis, where its left end is the share of jobs that " +
			"waited for 36 s or less.",
		Specs:   specs,
		Figures: figures,
	}
}
