// Package goodput asks: as the network slows, is it better to wait for close GPUs or to schedule by
// goodput?
//
// Question. Delay scheduling (Dally) gives a job what it asks for and lets it wait for GPUs that
// lie close together. Goodput-driven scheduling (Pollux, Sia, and before them schedulers that look
// at how a job scales) gives a job as many GPUs as it makes good use of, and a batch to match. The
// slower the network, the more a good place is worth, and the less another GPU. Papers of the one
// kind do not compare with the other. Which wins where, on links of one's own and on shared ones?
//
// Prediction. Stated before the sweeps, after one seed at a load of 0.8 had been run on three
// networks with Dally, delay, Tiresias, AFS-L, ElasticFlow and VODA to measure the time of a run.
// On a fast network all that scale jobs beat all that do not, by 30 to 50 %, since small jobs can
// have idle GPUs; waiting gains nothing there. As the network slows schedulers that do not ask
// where GPUs lie (voda, afs-p, afs-l) lose: they cross over with Dally near 25 Gb/s per GPU and are
// several times worse at 3. A scheduler that predicts speeds at the places that it gives
// (elasticflow, and those that fit them by number of machines: pollux, sia) is not hurt: it takes
// fewer GPUs as the network slows, and stays 30 % or more ahead of Dally everywhere. Dally with its
// rules for elastic jobs lies between. Shared links hurt what spreads jobs most, so the cross-over
// comes earlier. At high loads the difference shrinks, as nobody has idle GPUs. If samples of
// larger batches are worth little, growth gains half as much on the fast network; waiting is not
// touched by it.
//
// How to read it. All schedulers have the same jobs, which can run on one GPU to four times what
// they ask for, with noise and limits of batches by model (docs/efficiency.md). Ratios are within
// seeds, with 95 % intervals. Schedulers of rigid jobs give each what it asks for at its own batch.
// GPU-time held for the same work says how well GPUs are used: goodput per GPU is its inverse.
//
// Schedulers with several rules of places stand in the plain form and in the one, marked †, that
// validation chose on seeds from 1001.
//
// Reading guide. who.go has the schedulers, grid.go the sweeps, figures.go draws them, tables.go
// makes the tables of docs/goodput.md.
//
//	tarry sweep --question goodput --scale small --out runs/goodput
//	tarry figures runs/goodput/* --question goodput --out runs/goodput-figures
package goodput

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "goodput",
		Title: "as the network slows, is it better to wait for close GPUs or to schedule by goodput?",
		Ask: "Delay scheduling gives a job what it asks for and lets it wait for GPUs that lie close together; " +
			"goodput-driven scheduling gives it as many GPUs as it makes good " +
			"use of, and a batch to match. Which wins as the network slows, on links of one's own and on shared ones?",
		Predict: "On a fast network all that scale jobs beat all that do not by 30 to 50 %, and waiting gains " +
			"nothing. As it slows, schedulers that do not ask where GPUs lie lose: they " +
			"cross over with Dally near 25 Gb/s per GPU and are several times worse at 3. One that predicts speeds " +
			"at the places that it gives takes fewer GPUs and stays 30 % or more " +
			"ahead of Dally everywhere; Dally with rules for elastic jobs lies between. Shared links bring the " +
			"cross-over forward. High loads shrink the difference. If samples of larger " +
			"batches are worth little, growth gains half as much on the fast network.",
		Read: "The same jobs under all schedulers; ratios are within seeds, with 95 % intervals. Schedulers of " +
			"rigid jobs give each what it asks for at its own batch. GPU-time held " +
			"for the same work says how well GPUs are used: goodput per GPU is its inverse.",
		Specs:   specs,
		Figures: figures,
		Tables:  tables,
	}
}
