package ranked

import "tarry/sim"

// Order is an order of jobs that a policy uses in place of its own: baselines/dally does. Its keys
// may change while a job waits.
type Order interface {
	// Knows is what the keys read, as in sim.Policy.
	Knows() sim.Knowledge
	// Start is called once, at the first instant of a run, before all else.
	Start(v *sim.View)
	// Begin takes in an instant, before a job is ranked. asked is how many GPUs the jobs without
	// GPUs ask for. It reports whether all keys may be others now.
	Begin(v *sim.View, asked int) bool
	// Enter reports that a job begins to contest: it arrived, lost its GPUs, or its lease is up.
	Enter(v *sim.View, j sim.JobID)
	// Rank is a job's key now, smaller first, and the first instant at which it may be another
	// although nothing happens to the job; sim.Never = it stays.
	Rank(v *sim.View, j sim.JobID) (key float64, until sim.Time)
	// Copied gives an independent copy, in the memory of dst where that is of its kind; dst may be
	// nil.
	Copied(dst Order) Order
}
