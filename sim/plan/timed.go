package plan

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// TimerSource sets delay timers. The constants of a policy are one, an auto-tuner is another, an
// agent a third.
type TimerSource interface {
	// Timers gives, for jobs of a demand, the waits after which a rack (or any GPUs) is acceptable.
	// Never = not at all. until is when the answer may change without a new acceptance.
	Timers(demand int, now sim.Time) (rack, net, until sim.Time)
	// Accepted reports that a job of a demand took a place of a level after a wait.
	Accepted(demand int, level cluster.Level, wait, now sim.Time)
}

// Wanted is what the jobs of one demand that wait have in common.
type Wanted struct {
	// GPUs and Type are what each asks for.
	GPUs int
	Type string
	// Waiting is how many wait, Oldest when the first of them began to; Never when none does.
	Waiting int
	Oldest  sim.Time
	// Fits is the finest level that could ever hold them.
	Fits cluster.Level
}

// stepped is a policy that can be driven in steps, so that a caller decides in between: an
// instant is Begin, Contest and Finish.
type stepped interface {
	// Begin takes in what happened at an instant.
	Begin(v *sim.View, out []sim.Decision) []sim.Decision
	// Contest chooses who gets what is free.
	Contest(v *sim.View)
	// Finish gives the decisions of the instant.
	Finish(v *sim.View, out []sim.Decision) []sim.Decision
}

// Timed is a policy whose jobs wait for better places by timers that another source can set.
type Timed interface {
	sim.Policy
	stepped
	// OwnTimers is a source of the policy's own timers on a cluster; nil = with its settings it has
	// none that could be set.
	OwnTimers(t *cluster.Topology) TimerSource
	// Steered gives a copy that asks another source, between instants and in the memory of dst
	// where that is one of its kind; nil = in new memory.
	Steered(dst Timed, by TimerSource) Timed
	// Waiting appends what waits, one entry per demand seen so far, in the order in which they were
	// seen.
	Waiting(dst []Wanted) []Wanted
}

// Evicting is a policy that leaves it to a caller which running job gives its GPUs up, and
// when.
type Evicting interface {
	sim.Policy
	stepped
	// Blocked is the first in order of all that found no place in the contest; false when no job
	// waits.
	Blocked() (sim.JobID, bool)
	// Order is the key by which a job chooses: smaller chooses first.
	Order(v *sim.View, j sim.JobID) float64
	// Evictable reports whether a job runs and may be evicted at this instant.
	Evictable(v *sim.View, j sim.JobID) bool
	// Evict takes the GPUs of an Evictable job. When that needs no checkpoint they are there for
	// the next contest, and the victim waits once the others have chosen; else they come free, and
	// the victim waits, when its checkpoint is written.
	Evict(v *sim.View, j sim.JobID)
	// Waiting appends what waits, one entry per demand seen so far, in the order in which they were
	// seen.
	Waiting(dst []Wanted) []Wanted
	// Copied gives a copy for runs in steps, between instants and in the memory of dst where that
	// is one of its kind; nil = in new memory.
	Copied(dst Evicting) Evicting
}
