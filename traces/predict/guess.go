package predict

import (
	"slices"

	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/rng"
)

// Guesses is what a Predictor states of users that are simulated; Guess is to be applied to all jobs that it sees.
type Guesses interface {
	// Guesses gives the standard deviation of log(request / run time) of all jobs; ok is false where none is stated.
	Guesses() (sigma float64, ok bool)
	// Exact says that a request is the run time: then a policy that reads it is clairvoyant.
	Exact() bool
}

// Guesses and Exact are those of predictor request.
func (p *online) Guesses() (sigma float64, ok bool) { return p.sigma, p.sigma >= 0 }

// Exact reports that nothing is uncertain.
func (p *online) Exact() bool { return p.exact }

// Guess gives each job a request in place of its own: its run time times exp(sigma z), z standard normal from stream "requests" of
// the job's own name, so that a job has the same guess in every window.
func Guess(w *sim.Workload, sigma float64, seed uint64) (*sim.Workload, error) {
	jobs := slices.Clone(w.Jobs)
	for i := range jobs {
		j := &jobs[i]
		z := rng.Source{Seed: seed}.Stream("requests/" + j.ID).NormFloat64()
		j.Request = max(1, sim.Seconds(j.RunTime().Seconds()*fixmath.Exp(float64(sigma*z))))
		j.Drawn |= sim.FieldRequest
	}
	return sim.NewWorkload(w.Name, jobs, w.Origins...)
}
