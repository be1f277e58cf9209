package trial

import (
	"slices"

	"tarry/sim"
)

// History is what policies that know the distribution of work receive of a window without an
// earlier part: its own, sorted.
func History(w *sim.Workload) []sim.Time {
	var out []sim.Time
	for i := range w.Jobs {
		out = append(out, w.Jobs[i].Work)
	}
	slices.Sort(out)
	return out
}

// foreseen reports whether the trial's history is the work of its own jobs.
func (t *Trial) foreseen() bool {
	return t.Workload != nil && len(t.History) == len(t.Workload.Jobs) && slices.Equal(t.History, History(t.Workload))
}
