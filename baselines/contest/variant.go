package contest

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Owners groups jobs by tenant: jobs of one tenant may have timers of their own, and a party that
// holds less may go first.
type Owners interface {
	// Of gives the number of the timers by which a job waits, 0 = the timers of the contest, and
	// the number of the party in whose name it contests, 0 where Compare gives 0 for all.
	Of(v *sim.View, j sim.JobID) (clock, party int32)
	// Timers is the source of timers of a number above 0.
	Timers(clock int32) plan.TimerSource
	// Begin begins an instant: it counts the GPUs of each party.
	Begin(v *sim.View, p *Policy)
	// Gets notes that a party has n GPUs more at this instant; n may be negative.
	Gets(party int32, n int)
	// Compare is negative where all jobs of party a go before jobs of b, 0 where the order of jobs
	// decides.
	Compare(a, b int32) int
	// Apart reports whether Of gives timers, Ordered whether Compare gives other numbers than 0.
	Apart() bool
	Ordered() bool
	// Copied gives an independent copy, in the memory of dst where that is of its kind; dst may be
	// nil.
	Copied(dst Owners) Owners
}

// Sizes changes the number of GPUs of elastic jobs.
type Sizes interface {
	// Least gives the fewest GPUs on which a job may start, and of what its numbers of GPUs are
	// multiples.
	Least(v *sim.View, j sim.JobID) (least, step int)
	// Smaller is the candidate of a class whose candidate for a place of full size is e, at level
	// l.
	Smaller(f *cluster.Free, c *Class, e *Entry, l cluster.Level) (*Entry, cluster.Level)
	// Width is the number of GPUs of a place at a level.
	Width(f *cluster.Free, c *Class, l cluster.Level) int
	// Elsewhere does something better with the GPUs of a start, and reports whether it did.
	Elsewhere(p *Policy, v *sim.View, c *Class, e Entry, at cluster.Level) bool
	// Keep decides whether a holder whose lease has ended and who has found a place of another size
	// than its own, or has lost GPUs, keeps some of its own. all is set where it has lost none. It
	// gives the grant, the last of the plan, back.
	Keep(p *Policy, v *sim.View, c *Class, g Grant, all bool) Grant
	// Adjust ends a contest: it may resize the grants of the plan and running jobs.
	Adjust(p *Policy, v *sim.View)
	// Copied is as in Owners.
	Copied(dst Sizes) Sizes
}

// Sharing lets jobs that found no free place share GPUs of running jobs.
type Sharing interface {
	// Shares reports whether a running job has another beside it.
	Shares(v *sim.View, j sim.JobID) bool
	// Share appends the starts of jobs that share, after the decisions of the contest.
	Share(p *Policy, v *sim.View, out []sim.Decision) []sim.Decision
	// Opens is the next instant at which a job of a class may share that may not now; Never where
	// there is none.
	Opens(p *Policy, v *sim.View, c *Class) sim.Time
	// Copied is as in Owners.
	Copied(dst Sharing) Sharing
}

// Places finds places by another rule than the delay timers. It has no state.
type Places interface {
	// Kind distinguishes jobs of one demand that the rule treats differently.
	Kind(v *sim.View, j sim.JobID) int32
	// Find is the candidate of a class for which there are enough GPUs, and the level of its place;
	// machine is the number of GPUs of the largest machine.
	Find(f *cluster.Free, c *Class, machine int) (*Entry, cluster.Level)
}

// Lengths gives grants lengths of their own. It has no state.
type Lengths interface {
	// Length is the length of a grant; 0 = to the end of the job.
	Length(v *sim.View, j sim.JobID, gpus []cluster.GPU) sim.Time
}

// Clock takes the events of an instant apart, so that there may be several contests in it. Its
// times are not the kernel's. Only with Return.
type Clock interface {
	Lengths
	// Start is called at the first instant of a run.
	Start(v *sim.View)
	// Decide holds the contests of an instant.
	Decide(p *Policy, v *sim.View, out []sim.Decision) []sim.Decision
	// Enter completes the entry of a contestant.
	Enter(e Entry) Entry
	// Waited reports whether a contestant has waited for so long.
	Waited(e *Entry, timer sim.Time) bool
	// Key is the key of a job where the clock has one of its own.
	Key(v *sim.View, j sim.JobID) (key float64, ok bool)
	// Accepted reports a place to the source of timers.
	Accepted(by plan.TimerSource, gpus int, l cluster.Level, e Entry, now sim.Time)
	// Next is when a contest is due that was put off; Never where there is none. Busy reports
	// whether GPUs wait to be contested.
	Next(now sim.Time) sim.Time
	Busy() bool
	// Copied gives an independent copy.
	Copied() Clock
}
