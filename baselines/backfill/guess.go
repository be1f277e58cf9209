package backfill

import (
	"math"

	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/param"
)

// Estimate is the run time that a job is expected to need: its estimated work at full speed. A
// job that a fault sent back counts in full again.
func Estimate(v *sim.View, j sim.JobID) sim.Time {
	d := v.Job(j).Estimate() / v.Job(j).Width()
	if !(d < float64(sim.Never/8)) {
		return sim.Never / 8
	}
	return max(1, sim.Time(math.Ceil(d-1e-3)))
}

// Guess is where the run times that reservations go by are from: false = the run's estimates, true
// = what users asked for. A job whose user asked for nothing is expected to run for ever.
type Guess bool

// Params describes the setting that ReadGuess reads for the catalogue.
const Params = `by         estimate: the estimated run time, of --predict or --estimate-error | request: what users asked for, whatever the
           run's predictor; a job without a request runs for ever`

// ReadGuess reads the setting of Params.
func ReadGuess(s *param.Set) Guess { return s.Enum("by", "estimate", "request") == "request" }

// Knows is what a policy has to declare for it.
func (g Guess) Knows() know.Set {
	if g {
		return know.Nothing
	}
	return know.Estimate
}

// Of is the run time that a job is expected to need, > 0.
func (g Guess) Of(v *sim.View, j sim.JobID) sim.Time {
	if !g {
		return Estimate(v, j)
	}
	if r := v.Job(j).Request(); r > 0 && r < sim.Never/8 {
		return r
	}
	return sim.Never / 8
}
