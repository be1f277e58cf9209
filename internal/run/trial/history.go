package trial

import (
	"slices"

	"tarry/sim"
)

// History is what policies that know the distribution of work receive of a window that stands for itself: its own, sorted.
func History(w *sim.Workload) []sim.Time {
	var out []sim.Time
	for i := range w.Jobs {
		out = append(out, w.Jobs[i].Work)
	}
	slices.Sort(out)
	return out
}
