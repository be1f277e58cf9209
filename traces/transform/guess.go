package transform

import (
	"slices"

	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/rng"
)

// Guess gives each job a request in place of its own: its run time times exp(sigma z), z standard
// normal from stream "requests" of the job's own name, so that a job has the same guess in every
// window.
func Guess(w *sim.Workload, sigma float64, seed uint64) (*sim.Workload, error) {
	jobs := slices.Clone(w.Jobs)
	for i := range jobs {
		j := &jobs[i]
		z := rng.Source{Seed: seed}.Stream("requests/" + j.ID).NormFloat64()
		j.Request = max(1, sim.Seconds(j.RunTime().Seconds()*fixmath.Exp(float64(sigma*z))))
		j.Drawn |= origin.Request
	}
	return sim.NewWorkload(w.Name, jobs, w.Origins...)
}
