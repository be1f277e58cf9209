package predict

import (
	"tarry/sim"
	"tarry/sim/law"
)

// Accuracy is how well a predictor did.
type Accuracy struct {
	// Jobs were predicted, each at its submit.
	Jobs int
	// R2 is the part of the variance of log run time that predicted medians explain; below 0 where
	// one constant would do better.
	R2 float64
	// SD is the standard deviation of log(run time / predicted median), Spread the mean of the
	// deviations that the laws state.
	SD, Spread float64
	// Within is the part of the jobs that ended within the interval in which the law puts 80 % of
	// them, Below the part of jobs that ended before the median: 0.8 and 0.5 for a calibrated
	// predictor.
	Within, Below float64
}

// Assess gives a clone of a predictor, fitted before, jobs in the order of their submits as if each
// started at once, and measures what it predicts. Jobs that all come at once are predicted one
// after another.
func Assess(of Predictor, jobs []sim.Job) Accuracy {
	p := of.Clone()
	var t law.Tally
	next, ends := 0, endings(jobs)
	for i := range jobs {
		for next < len(ends) && (ends[next].at <= jobs[i].Submit || ends[next].job < i && ends[next].alone) {
			k := ends[next].job
			p.Ended(sim.JobID(k), hidden(&jobs[k]), jobs[k].RunTime())
			next++
		}
		t.Add(p.Predict(sim.JobID(i), hidden(&jobs[i])), jobs[i].RunTime().Seconds())
	}
	if t.Jobs == 0 {
		return Accuracy{}
	}
	return Accuracy{Jobs: t.Jobs, R2: t.R2(), SD: t.SD(), Spread: t.Mean(t.Spread), Within: t.Part(t.Within80),
		Below: t.Part(t.Below50)}
}
