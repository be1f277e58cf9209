package compare

import (
	"math"

	"tarry/internal/stats"
	"tarry/run/trial"
)

// TypeUtil is the utilisation of the GPUs of one type: the mean over a policy's replicates.
type TypeUtil struct {
	// Type is the type's name, "reference" for GPUs without one.
	Type string
	// Frac is GPU-seconds held / GPU-seconds there until the makespan; NaN where a run does not
	// state it.
	Frac float64
}

// typesOf names the types of the cluster of the first run that states; nil where there is one type.
func typesOf(done []*trial.Result) []string {
	var names []string
	for _, r := range done {
		for _, u := range r.Types {
			if u.Type == "" {
				u.Type = "reference"
			}
			names = append(names, u.Type)
		}
		if names != nil {
			break
		}
	}
	return names
}

// byType gives the utilisation of each of these types.
func byType(runs []*trial.Result, names []string) []TypeUtil {
	var out []TypeUtil
	for i, name := range names {
		x := make([]float64, len(runs))
		for r, run := range runs {
			x[r] = math.NaN()
			if len(run.Types) == len(names) && run.Row.Makespan > 0 {
				u := run.Types[i]
				x[r] = u.HeldS / float64(run.Row.Makespan*float64(u.GPUs))
			}
		}
		out = append(out, TypeUtil{name, stats.Mean(x)})
	}
	return out
}
