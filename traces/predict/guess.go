package predict

import "tarry/sim/entry"

// Guesses is what a Predictor states of users that are simulated; transform.Guess is to be applied
// to all jobs that it sees.
type Guesses = entry.Guesses

// Guesses and Exact implement predictor request.
func (p *online) Guesses() (sigma float64, ok bool) { return p.sigma, p.sigma >= 0 }

// Exact reports that nothing is uncertain.
func (p *online) Exact() bool { return p.exact }
