package optimus

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Outlook states what jobs have left and how fast they are, in place of the fits.
type Outlook interface {
	// Meet is called once for each job, when it arrives, before any other method. It gives the most
	// GPUs that the job can use, c.Hi or fewer.
	Meet(v *sim.View, j sim.JobID, c plan.Counts) (hi int)
	// Left gives what a job has left, in steps where Step has their time, in s of one reference GPU
	// elsewhere.
	Left(v *sim.View, j sim.JobID) float64
	// Step gives the time of a step on n GPUs in s, NaN where that is not known; false = the speeds
	// of the speed model hold for this job. All counts of a job have the same answer.
	Step(v *sim.View, j sim.JobID, n int) (float64, bool)
	// Clone gives an independent copy.
	Clone() Outlook
}

// By is Optimus by an outlook. Jobs are placed machine by machine, from the machines with most free
// GPUs; the first interval begins after every, which is 1 us or more.
func By(o Outlook, every sim.Time, rule cluster.Rule) *Policy {
	p := &Policy{outlook: o, sizer: plan.NewSizer(rule), placer: plan.NewPlacer(rule), draws: draws(1)}
	p.every, p.left, p.place, p.oracle = every, byWork, emptiest, true
	return p
}
