// Package heterogeneity asks: what does it gain to know which GPU type suits which model, and does
// that still hold where placement matters?
//
// Question. On clusters of three GPU types, by how much do schedulers that know each model's speed
// on each type shorten completion times and makespan against the same schedulers without it
// (Gavel's comparison), how does that depend on how differently models gain from a faster GPU, and
// who wins where machines hold several GPUs and links are slow, with Dally beside them?
//
// Prediction. Stated before the first run. Little at low load; at the load where those without the
// knowledge fill up, 1.5 to 3 times in mean completion time, and a makespan 1.2 to 1.4 times
// shorter. Nothing where all models gain alike: the knowledge is of comparative advantage. With
// slow links placement is worth more than types: Dally beats the schedulers that know types and
// place anywhere, and loses to them with fast links.
//
// How to read it. Against the load, completion times are of the jobs from two thirds to five sixths
// of a run, when the cluster is as full as it gets; elsewhere of all jobs of runs that begin with
// an empty cluster. Ratios are over the same jobs in pairs, with 95 % intervals over seeds. The
// load is in GPUs of the fastest type: 1 would fill the cluster if all its GPUs were of it.
// Finish-time fairness is a job's completion time over that on a share of 1/n of every type (policy
// isolated) in the same trace; above 1 it would rather be alone.
//
// Schedulers with several rules of places stand in the plain form and in the one, marked †, that
// validation chose on seeds from 1001.
//
// Reading guide. hardware.go has the types and the speeds of models on them, who.go the schedulers,
// grid.go the sweeps; figures.go draws them, jobs.go and usage.go count what no column has, and
// tables.go makes the tables of docs/heterogeneity.md.
//
//	tarry sweep --question heterogeneity --scale small --out runs/heterogeneity
//	tarry figures runs/heterogeneity/* --question heterogeneity --out runs/heterogeneity-figures
package heterogeneity

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "heterogeneity",
		Title: "what does it gain to know which GPU type suits which model, and where placement matters?",
		Ask: "On clusters of three GPU types, by how much do schedulers that know each model's speed on each type " +
			"shorten completion times and makespan " +
			"against the same schedulers without it, how does that depend on how differently models gain from a " +
			"faster GPU, and who wins where machines " +
			"hold several GPUs and links are slow, with Dally beside them?",
		Predict: "Little at low load; at the load where those without the knowledge fill up, 1.5 to 3 times in mean " +
			"completion time, and a makespan 1.2 to " +
			"1.4 times shorter. Nothing where all models gain alike. With slow links placement is worth more than " +
			"types: Dally beats the schedulers that " +
			"know types and place anywhere, and loses to them with fast links.",
		Read: "Against the load, completion times are of the jobs from two thirds to five sixths of a run, " +
			"elsewhere of all jobs of runs that begin with an " +
			"empty cluster. Ratios are over the same jobs in pairs, with 95 % intervals over seeds. The load is in " +
			"GPUs of the fastest type. Finish-time fairness is a job's completion time over that on a share of 1/n " +
			"of every " +
			"type in the same trace; above 1 it would rather be alone.",
		Specs:   specs,
		Figures: figures,
		Tables:  tables,
	}
}
