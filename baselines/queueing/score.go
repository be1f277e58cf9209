package queueing

import (
	"math"

	"tarry/baselines/backfill"
	"tarry/sim"
)

// Score ranks a waiting job at this instant: the lowest goes first. Estimates stand for the run
// time that a job asks for.
type Score = func(v *sim.View, j sim.JobID) float64

// tiny keeps UNICEP finite for jobs of one GPU and for jobs that have not waited, as in the
// program behind RLScheduler's tables.
const tiny = 1e-15

// orders lists the scores that scoreOf accepts.
func orders() []string {
	return []string{"fcfs", "sjf", "wfp3", "unicep", "f1", "f2", "f3", "f4"}
}

// Orders lists the scores of picked and easy, the order of arrival first.
func Orders() []string { return orders() }

// Wait gives the seconds that wfp3 and unicep count as a job's wait, which stay the same while it
// waits; nil = the time since its submit, which grows.
type Wait func(v *sim.View, j sim.JobID) float64

// stillOf reports whether a score stays the same while a job waits.
func stillOf(order string, fixed Wait) bool {
	return fixed != nil || order != "wfp3" && order != "unicep"
}

// scoreOf gives the published scores. With r the run time asked for, n the GPUs, s the submit and w
// the wait so far, all in seconds:
//
//	fcfs    s
//	sjf     r
//	wfp3    -(w/r)^3 n             Tang et al., "Fault-aware, utility-based job scheduling on Blue Gene/P systems", CLUSTER 2009
//	unicep  -w / (r log2 n)        the same
//	f1      log10(r) n + 870 log10(s)   Carastan-Santos and de Camargo, "Obtaining dynamic scheduling policies with simulation and
//	                               machine learning", SC 2017, equations F1 to F4
//	f2      sqrt(r) n + 25600 log10(s)
//	f3      r n + 6860000 log10(s)
//	f4      r sqrt(n) + 530000 log10(s)
//
// The F scores count s from the start of the log, so they depend on where the log begins. fixed,
// unless nil, gives w.
func scoreOf(order string, fixed Wait, from backfill.Guess) Score {
	r := func(v *sim.View, j sim.JobID) float64 { return from.Of(v, j).Seconds() }
	wait := func(v *sim.View, j sim.JobID) float64 { return (v.Now() - v.Job(j).Submit()).Seconds() }
	if fixed != nil {
		wait = fixed
	}
	late := func(v *sim.View, j sim.JobID, weight float64) float64 {
		return float64(weight * log10(v.Job(j).Submit().Seconds()))
	}
	switch order {
	case "sjf":
		return r
	case "wfp3":
		return func(v *sim.View, j sim.JobID) float64 {
			x := wait(v, j) / r(v, j)
			return -float64(x*x*x) * v.Job(j).Width()
		}
	case "unicep":
		return func(v *sim.View, j sim.JobID) float64 {
			return -(wait(v, j) + tiny) / (math.Log(v.Job(j).Width()+tiny) / math.Ln2 * r(v, j))
		}
	case "f1":
		return func(v *sim.View, j sim.JobID) float64 {
			return float64(log10(r(v, j))*v.Job(j).Width()) + late(v, j, 870)
		}
	case "f2":
		return func(v *sim.View, j sim.JobID) float64 {
			return float64(math.Sqrt(r(v, j))*v.Job(j).Width()) + late(v, j, 25600)
		}
	case "f3":
		return func(v *sim.View, j sim.JobID) float64 { return float64(r(v, j)*v.Job(j).Width()) + late(v, j, 6860000) }
	case "f4":
		return func(v *sim.View, j sim.JobID) float64 {
			return float64(r(v, j)*math.Sqrt(v.Job(j).Width())) + late(v, j, 530000)
		}
	}
	return func(v *sim.View, j sim.JobID) float64 { return v.Job(j).Submit().Seconds() }
}

// log10 is the logarithm of x, of 0.1 where x is 0.
func log10(x float64) float64 {
	if x <= 0 {
		x = 0.1
	}
	return math.Log(x) / math.Ln10
}
