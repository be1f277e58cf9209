package plan

import (
	"math"

	"tarry/sim"
)

// PredictedLeft is the mean run time that a job is predicted to have left, in seconds on the GPUs
// it asks for, at full speed: of the law of the run's predictor; without one, what its estimate
// leaves, at least 0. It needs know.Estimate and know.Done.
func PredictedLeft(v *sim.View, j sim.JobID) float64 {
	if l, ok := v.Job(j).Law(); ok {
		return l.Left(v.Run(j).Ran())
	}
	return math.Max(0, v.Job(j).Estimate()-v.Run(j).Done()) / v.Job(j).Width() / 1e6
}

// GittinsRank is the Gittins rank of a job by the same law, in seconds; without a predictor it is
// PredictedLeft.
func GittinsRank(v *sim.View, j sim.JobID) float64 {
	if l, ok := v.Job(j).Law(); ok {
		return l.Rank(v.Run(j).Ran())
	}
	return PredictedLeft(v, j)
}
