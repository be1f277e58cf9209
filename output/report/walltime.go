package report

import (
	"math"

	"tarry/output/results"
)

// wall is the wall time of a training run's updates and its environment steps per second of it; NaN
// where they were not recorded.
func (l *learned) wall() (seconds, stepsPerS float64) {
	var steps float64
	for _, t := range l.timing {
		if t.Update >= 1 && t.Wall > 0 {
			seconds += t.Wall
			steps += float64(t.EnvStepsPerS * t.Wall)
		}
	}
	if seconds == 0 {
		return math.NaN(), math.NaN()
	}
	return seconds, steps / seconds
}

// speeds gives the environment steps per second of runs as a column of curves.
func speeds(runs []learned) []learned {
	var out []learned
	for _, l := range runs {
		var one learned
		for _, t := range l.timing {
			if t.Update >= 1 {
				one.rows = append(one.rows, results.Curve{EnvSteps: t.EnvSteps, ReturnMean: t.EnvStepsPerS})
			}
		}
		out = append(out, one)
	}
	return out
}
