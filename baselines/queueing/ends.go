package queueing

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// ending is a running job and when it is expected to end.
type ending struct {
	at    sim.Time
	job   sim.JobID
	start sim.Time
}

// ends keeps the running jobs by expected end. A job that outlives its estimate is extended: its
// estimate doubles until the end lies ahead.
type ends []ending

// estimate is the run time that a job is expected to need: its estimated work at full speed. A
// job that a fault sent back counts in full again.
func estimate(v *sim.View, j sim.JobID) sim.Time {
	d := v.Estimate(j) / v.Width(j)
	if !(d < float64(sim.Never/8)) {
		return sim.Never / 8
	}
	return max(1, sim.Time(math.Ceil(d-1e-3)))
}

// guess is where the run times that reservations go by are from: false = the run's estimates, true = what users asked for. A job whose user
// asked for nothing is expected to run for ever.
type guess bool

// EASYParams describes the setting of easy and conservative for the catalogue.
const EASYParams = `by         estimate: the estimated run time, of --predict or --estimate-error | request: what users asked for, whatever the
           run's predictor; a job without a request runs for ever (estimate)`

func readGuess(s *param.Set) guess { return s.Enum("by", "estimate", "request") == "request" }

func (g guess) knows() sim.Knowledge {
	if g {
		return sim.KnowNothing
	}
	return sim.KnowEstimate
}

func (g guess) of(v *sim.View, j sim.JobID) sim.Time {
	if !g {
		return estimate(v, j)
	}
	if r := v.Request(j); r > 0 && r < sim.Never/8 {
		return r
	}
	return sim.Never / 8
}

func (e *ends) add(j sim.JobID, start, at sim.Time) {
	x := ending{at: at, job: j, start: start}
	i, _ := slices.BinarySearchFunc(*e, x, compareEnds)
	*e = slices.Insert(*e, i, x)
}

func compareEnds(a, b ending) int {
	switch {
	case a.at != b.at && a.at < b.at, a.at == b.at && a.job < b.job:
		return -1
	case a == b:
		return 0
	}
	return 1
}

// drop removes a job that ended.
func (e *ends) drop(j sim.JobID) (ending, bool) {
	for i, x := range *e {
		if x.job == j {
			*e = slices.Delete(*e, i, i+1)
			return x, true
		}
	}
	return ending{}, false
}

// extend moves the ends that have passed ahead of now and reports whether there were any.
func (e *ends) extend(now sim.Time) (moved bool) {
	for len(*e) > 0 && (*e)[0].at <= now {
		x := (*e)[0]
		*e = slices.Delete(*e, 0, 1)
		d := x.at - x.start
		for x.start+d <= now && d < sim.Never/8 {
			d *= 2
		}
		e.add(x.job, x.start, max(x.start+d, now+1))
		moved = true
	}
	return moved
}

// follow drops the jobs that ended or were stopped at this instant.
func (e *ends) follow(v *sim.View) {
	for _, ev := range v.Events() {
		if ev.Job != sim.NoJob && (ev.Kind == sim.Finish || stopped(ev)) {
			e.drop(ev.Job)
		}
	}
}

// stopped reports whether a job, or a unit, was stopped by what befell it.
func stopped(ev sim.Event) bool { return ev.Kind == sim.Fail || ev.Kind == sim.OutOfMemory }

// sameGPUs reports whether two demands may want the same GPUs.
func sameGPUs(a, b *plan.Demand) bool { return a.Type == "" || b.Type == "" || a.Type == b.Type }
