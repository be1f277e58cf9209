// Package elastic asks: does elasticity make delay timers unnecessary?
//
// Question. Dally lets a job wait for GPUs that lie close together. A job that can run on other
// numbers of GPUs has alternatives: it can start smaller, running jobs can shrink for it, and free
// GPUs can go to jobs that run beside them rather than to a spread start. Do delay timers still
// gain anything then, where, and how much? And what do schedulers gain that resize jobs and do not
// look where their GPUs lie?
//
// Prediction. Stated before the first run. With fast links timers gain nothing, elastic or not, and
// growing into idle GPUs gains most, at low load. With slow links, where no timers cost rigid jobs
// 70 to 90 %, a smaller start before spreading takes nine tenths of that: without timers, with
// ranges of half to twice, Dally is within 10 % of the same rules with timers, and with ranges from
// one GPU on within 2 %. Growth costs at high loads unless what has grown yields. A rescale that
// takes 2 minutes takes a tenth of the gain at most, since a job is resized a few times in its
// life. Elastic schedulers that do not look at placement lose to Dally on slow links and win on
// fast ones.
//
// Prediction for deadlines. Stated before the sweep, after one seed at a load of 0.9 and tightness
// 1 had been run to measure its time. On fast links elastic jobs and admission together meet most
// deadlines at every tightness: ElasticFlow and elastic EDF with admission, at tightness 1, twice
// as many as schedulers that do not read deadlines, at 3 a third more. Elastic EDF with admission
// meets up to ten points more than ElasticFlow, whose plans have no slack for resizes; where
// resizes cost nothing ElasticFlow meets more, and all that it admitted. Without admission rigid
// EDF is last, and at a load of 1.2 all without admission meet fewer than half of what they meet
// with it. On slow links ElasticFlow keeps half of its promises, with or without costs, since its
// plans take the best placement, and Dally with its rules for elastic jobs meets as many.
// place=near helps there.
//
// How to read it. Schedulers and rules differ on the same jobs; ratios and differences are within
// seeds, with 95 % intervals. The sweep over timers is the answer: a curve that falls from left to
// right says that waiting still gains. Its table chooses the timers on one half of the seeds and
// measures on the other, for every set of rules alike. Resizes are allocations that end neither by
// a preemption nor by the job's end.
//
// Schedulers with several rules of places stand in the plain form and in the one, marked †, that
// validation chose on seeds from 1001.
//
// Reading guide. who.go has the schedulers and rules, grid.go the sweeps, figures.go draws them,
// gain.go chooses timers, tables.go makes the tables of docs/elasticity.md, due.go is all of
// deadlines.
//
//	tarry sweep --question elastic --scale small --out runs/elastic
//	tarry figures runs/elastic/* --question elastic --out runs/elastic-figures
package elastic

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "elastic",
		Title: "does elasticity make delay timers unnecessary?",
		Ask: "A job that can run on other numbers of GPUs can start smaller, running jobs can shrink for it, and " +
			"free GPUs can go to jobs that run beside " +
			"them rather than to a spread start. Do Dally's delay timers still gain anything then, where, and how " +
			"much? And who meets most deadlines?",
		Predict: "With fast links timers gain nothing, elastic or not. With slow links a smaller start before " +
			"spreading takes nine tenths of what timers gain: within 10 % " +
			"of the same rules with timers for ranges of half to twice, within 2 % for ranges from one GPU on. " +
			"Growth costs at high loads unless what has " +
			"grown yields. A rescale of 2 minutes takes a tenth of the gain at most. Elastic schedulers that do not " +
			"look at placement lose to Dally on slow links and win " +
			"on fast ones. With deadlines, elastic jobs and admission together meet most on fast links, twice as " +
			"many at tightness 1 as schedulers that do not read deadlines; " +
			"ElasticFlow keeps half of its promises on slow links, and fewer than elastic EDF with admission where " +
			"resizes cost.",
		Read: "Ratios and differences are on the same jobs within seeds, with 95 % intervals. The sweep over timers " +
			"is the answer: a curve that falls from left to right says " +
			"that waiting still gains. Its table chooses the timers on one half of the seeds and measures on the " +
			"other, for every set of rules alike. " +
			"Deadlines are read from the table measures: met, of all jobs with one, and of those admitted.",
		Specs:   specs,
		Figures: figures,
		Tables:  tables,
	}
}
