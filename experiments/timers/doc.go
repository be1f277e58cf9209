// Package timers asks: how sensitive is Dally to its two timers?
//
// Question. Dally waits T_rack leases for one machine and T_net leases for one rack. Is there a
// broad optimum, or must the timers be tuned?
//
// Prediction. The surface is flat near its optimum and jumpy in detail: a schedule is a discrete
// thing. No wait and endless waits are worse than the middle where the network is slow, and not
// where it is fast.
//
// How to read it. One heat map per network speed: by how many per cent the mean completion time
// over seeds is above the least of the map, over T_rack and T_net in leases; both have the same
// colours, which end at 20 %. A difference of a few per cent between neighbours is noise;
// jct_diagonal has intervals.
//
//	tarry sweep --question timers --scale small --out runs/timers
//	tarry figures runs/timers --out runs/timers/figures
package timers

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "timers",
		Title: "how sensitive is Dally to its two timers?",
		Ask: "Dally waits T_rack leases for one machine and T_net leases for one rack. Is there a broad optimum, " +
			"or must the timers be tuned?",
		Predict: "The surface is flat near its optimum and jumpy in detail: a schedule is a discrete thing. No wait " +
			"and endless waits are worse than the middle where the network is slow, and not where it is fast.",
		Read: "One heat map per network speed: by how many per cent the mean completion time over seeds is above " +
			"the least of the map, over T_rack and T_net in leases; both have the same colours, which end at 20 %. A " +
			"difference of a few per cent between neighbours is noise; jct_diagonal has intervals.",
		Specs:   specs,
		Figures: figures,
	}
}
