package contest

import (
	"math"

	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan/victim"
)

// Config is what a contest is made of: an order, what a grant is, who is evicted, who may overtake,
// and the rules of a variant.
type Config struct {
	// LeaseS is the length of a lease in seconds; > 0. Infinite = no lease-based preemption.
	LeaseS float64
	// NoLease switches lease-based preemption off; timers still count in leases.
	NoLease bool
	// Order is who chooses first; it must have a Key unless the contest is by a Ranker.
	Order Order
	// TiesBySubmit breaks ties of the order by submit; else the job that has waited longest goes
	// first. Jobs that the network does not slow all tie: then the former is first come, first
	// served among them, the latter processor sharing.
	TiesBySubmit bool
	// Rule is how a unit is chosen among fitting units.
	Rule cluster.Rule
	// Return gives the GPUs back at the end of every lease before they are contested, which costs a
	// checkpoint; else a holder that wins its own GPUs again renews at no cost.
	Return bool
	// Keep lets a holder renew when no other job took its GPUs, although its timers would decline
	// them.
	Keep bool
	// ByEvents looks at the timers only when GPUs come free or a job arrives, and every minute
	// when nothing else is pending; else their ends are events.
	ByEvents bool
	// Evict takes GPUs from running jobs that come later in the order than the first that found no
	// place, although their leases are not up: see evict.go. Not with a Clock.
	Evict bool
	// Victims is which of them go; Weights, where there are some, choose in its place and in place
	// of Margin and WaitCheckpoint. They are for predictions and the order by Gittins rank.
	Victims victim.Choice
	Weights victim.Weights
	// WaitCheckpoint has no job go before the next checkpoint of the first that would, if that loses
	// work and the checkpoint is at most so many leases away; 0 = none waits. Not with OneByOne.
	WaitCheckpoint float64
	// MinRun is how long a job keeps its GPUs at least before it is evicted, EvictEvery the least
	// time between two instants of evictions, both in leases; 0 = no bound. With infinite leases
	// and MinRun > 0 no job is evicted.
	MinRun, EvictEvery float64
	// Margin is by how much the key of a job must exceed the blocked job's before it is
	// evicted; 0 = by anything. It is in the units of the order.
	Margin float64
	// Backfill lets jobs overtake the first that lacks GPUs only where they do not delay it: see
	// backfill.go. Not with a Clock or Places.
	Backfill Backfill
	Variant
}

// Variant has the rules of a variant of the contest; each may be nil. The state of a rule belongs
// to one contest: a copy of the contest copies it.
type Variant struct {
	// Owners groups the jobs by tenant. Not with a Clock.
	Owners Owners
	// Sizes changes the number of GPUs of elastic jobs. Not with Return, Leases, Clock, Places,
	// Evict or Backfill.
	Sizes Sizes
	// Sharing lets jobs share GPUs. Not with the rules that Sizes excludes, nor with Sizes.
	Sharing Sharing
	// Places finds places by another rule than the delay timers.
	Places Places
	// Lengths gives every grant a length of its own.
	Lengths Lengths
	// Clock has several contests in an instant.
	Clock Clock
	// Reads is what these rules read of jobs.
	Reads know.Set
}

// None reports whether there are no rules of a variant.
func (r *Variant) None() bool {
	return r.Owners == nil && r.Sizes == nil && r.Sharing == nil && r.Places == nil && r.Lengths == nil && r.Clock == nil
}

// pollS is the interval of the look at an otherwise idle cluster with ByEvents, in seconds.
const pollS = 60

// Preempts reports whether grants are leases.
func (c *Config) Preempts() bool { return !c.NoLease && !math.IsInf(c.LeaseS, 1) }
