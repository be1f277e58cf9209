package compare

import (
	"fmt"

	"tarry/internal/stats"
	"tarry/run/trial"
)

// overload is the mean over the replicates of the GPUs asked for beyond the cluster's at the last
// arrivals, 0 where the queue does not grow.
func (m *Row) overload() float64 {
	x := make([]float64, len(m.Runs))
	for r, run := range m.Runs {
		x[r] = run.Row.OverloadGPUs
	}
	return stats.Mean(x)
}

// Overloaded reports of a policy's runs that the queue grows until the last arrival; "" = in no
// more than half of them, as chance has it in some run of a stable setting.
func Overloaded(policy string, runs []*trial.Result) string {
	n, worst := 0, 0.0
	for _, run := range runs {
		if g := run.Row.OverloadGPUs; g > 0 {
			n, worst = n+1, max(worst, g)
		}
	}
	if 2*n <= len(runs) {
		return ""
	}
	in := ""
	if len(runs) > 1 {
		in = fmt.Sprintf(" in %d of %d runs", n, len(runs))
	}
	return fmt.Sprintf("%s is overloaded%s: the queue grows until the last arrival (jobs then ask for %.0f GPUs "+
		"more than there are), and means depend on the length of the run", policy, in, worst)
}
