package sim

import (
	"slices"

	"tarry/sim/origin"
)

// Each gives the workload with every job changed by a function, and the origins of what it sets.
func (w *Workload) Each(change func(j *Job), origins ...origin.Origin) (*Workload, error) {
	jobs := slices.Clone(w.Jobs)
	for i := range jobs {
		change(&jobs[i])
	}
	return NewWorkload(w.Name, jobs, slices.Concat(w.Origins, origins)...)
}
