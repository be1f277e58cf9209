package trial

import (
	"tarry/output/results"
	"tarry/sim"
	"tarry/sim/law"
)

// foretold is how well the trial's predictor did: the laws are as at each job's arrival.
func (t *Trial) foretold(e *sim.Engine) results.Prediction {
	var a law.Tally
	for id := range t.Workload.Jobs {
		if l, ok := e.Law(sim.JobID(id)); ok {
			a.Add(l, t.Workload.Jobs[id].RunTime().Seconds())
		}
	}
	return results.Prediction{Keys: t.Keys, Predictor: t.PredictorName, Jobs: int64(a.Jobs), R2: a.R2(),
		LogRunMean: a.Mean(a.LogRun), LogRunSD: a.LogRunSD(),
		ErrorMean: a.Mean(a.Error), ErrorSD: a.SD(), SpreadMean: a.Mean(a.Spread), Below50: a.Part(a.Below50),
		Below90: a.Part(a.Below90)}
}
