package queueing

import (
	"math"

	"tarry/baselines/backfill"
	"tarry/sim"
)

// Score ranks a waiting job at this instant: the lowest goes first. Estimates stand for the run time that a job asks for.
type Score = func(v *sim.View, j sim.JobID) float64

// tiny keeps UNICEP finite for jobs of one GPU and for those that have not waited, as in the program behind RLScheduler's tables.
const tiny = 1e-15

// scoreOf gives the scores of RLScheduler's tables. With r the run time asked for, n the GPUs, s the submit and w the wait so far,
// all in seconds:
//
//	fcfs    s
//	sjf     r
//	wfp3    -(w/r)^3 n             Tang et al., "Fault-aware, utility-based job scheduling on Blue Gene/P systems", CLUSTER 2009
//	unicep  -w / (r log2 n)        the same
//	f1      log10(r) n + 870 log10(s)   Carastan-Santos and de Camargo, "Obtaining dynamic scheduling policies with simulation and
//	                               machine learning", SC 2017, equation F1
//
// F1 counts s from the start of the log, so it depends on where the log begins. slip takes w = -1 - s.
func scoreOf(order string, slip bool) Score {
	wait := func(v *sim.View, j sim.JobID) float64 { return (v.Now() - v.Submit(j)).Seconds() }
	if slip {
		wait = func(v *sim.View, j sim.JobID) float64 { return -1 - v.Submit(j).Seconds() }
	}
	switch order {
	case "sjf":
		return asked
	case "wfp3":
		return func(v *sim.View, j sim.JobID) float64 {
			x := wait(v, j) / asked(v, j)
			return -float64(x*x*x) * v.Width(j)
		}
	case "unicep":
		return func(v *sim.View, j sim.JobID) float64 {
			return -(wait(v, j) + tiny) / (math.Log(v.Width(j)+tiny) / math.Ln2 * asked(v, j))
		}
	case "f1":
		return func(v *sim.View, j sim.JobID) float64 {
			return float64(log10(asked(v, j))*v.Width(j)) + float64(870*log10(v.Submit(j).Seconds()))
		}
	}
	return func(v *sim.View, j sim.JobID) float64 { return v.Submit(j).Seconds() }
}

// asked is the estimated run time in seconds.
func asked(v *sim.View, j sim.JobID) float64 { return backfill.Estimate(v, j).Seconds() }

// log10 is the logarithm of x, of 0.1 where x is 0.
func log10(x float64) float64 {
	if x <= 0 {
		x = 0.1
	}
	return math.Log(x) / math.Ln10
}
