package trait

import "tarry/sim"

// Ruled is an environment over the simulator each of whose questions is about one job, as its rules
// answer it.
type Ruled interface {
	// Rules gives the policies of the catalogue that answer by one rule, the default first.
	Rules() []string
	// ByRules makes the policy for sim.Run that answers all questions about job j as of[j] states; it
	// has one entry for each job of the run, and is kept.
	ByRules(of []Answer) (sim.Policy, error)
}

// Answer is how the questions about a job are answered.
type Answer struct {
	// Rule is a place in Rules; below 0 = by Draw.
	Rule int
	// Draw, in [0, 1), draws one of the legal choices, all of them alike, but for waiting.
	Draw float64
}
