// Package artist has Dally and Tiresias with the habits of the simulator of Dally's authors:
// artist-dally and artist-tiresias, whose runs agree with its runs job by job. artistref compares
// them; docs/explain/fidelity.md states what agrees.
//
// It runs a job in chunks of 1000 iterations per GPU, and looks at the lease only between two
// chunks. It also puts off the contest for GPUs that came free by a second for each (but not for
// those given back before their lease ended), and keeps its clock in floating point: two jobs that
// end at the same time on paper often differ in the last bits there, and are then two contests
// instead of one.
//
// Reading guide: dally.go and tiresias.go read the settings of both, the latter with the places of
// its Tiresias; chunk.go has leases of whole chunks, clock.go the clock, tuner.go the late forgetting
// of waits.
package artist

import (
	"math"
	"slices"

	"tarry/baselines/contest"
	"tarry/sim/know"
	"tarry/sim/param"
)

// Habits are settings of that simulator. The zero value has none.
type Habits struct {
	// Chunk is the number of iterations per GPU between two points at which a lease can be given
	// up; 0 = at any time.
	Chunk float64
	// Early is when a lease that would end before Chunk more iterations of the whole gang are done
	// is given up.
	Early Early
	// SettleS is the time in seconds, per GPU that came free, before a contest for it; 0 =
	// at once.
	SettleS float64
	// Rounded rounds the float clock's network sensitivity to nine digits, so that jobs that are
	// equal on paper are equal.
	Rounded bool
}

// Early states what happens to a lease that ends soon after a point between two chunks.
type Early uint8

// The three ways.
const (
	// EarlyNow gives the GPUs back at that point, and they are contested at once, whatever SettleS.
	EarlyNow Early = iota
	// EarlySettle gives them back, and they are contested after SettleS as all others.
	EarlySettle
	// EarlyNever lets the job run to the end of the next chunk, over the end of its lease.
	EarlyNever
)

// earlies are how users write them: earlies()[e] is Early e.
func earlies() []string { return []string{"now", "settle", "never"} }

// Default are the habits of that simulator.
func Default() Habits { return Habits{Chunk: 1000, SettleS: 1} }

// Read reads chunk, settle and early; the values of h are the defaults.
func (h *Habits) Read(s *param.Set) {
	h.Chunk = s.Float("chunk", h.Chunk, 0, 1e12)
	h.SettleS = s.Float("settle", h.SettleS, 0, 1e9)
	h.Early = Early(slices.Index(earlies(), s.Enum("early", earlies()...)))
}

// On adds the habits to a contest, whose other settings are final.
func (h Habits) On(c *contest.Config) {
	leaseS := c.LeaseS
	if !c.Preempts() {
		leaseS = math.Inf(1)
	}
	k := chunks{h.Chunk, leaseS, h.Early}
	if h.Chunk > 0 {
		c.Lengths = &k
		if !math.IsInf(leaseS, 1) {
			c.Reads |= know.Work | know.Speed
		}
	}
	if h.SettleS > 0 {
		c.Clock = &Clock{chunks: k, order: c.Order.Name, settleS: h.SettleS, rounded: h.Rounded}
	}
}
