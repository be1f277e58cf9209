// Package elastic has rules of ours for jobs of a contest that can run on several numbers of GPUs
// (sim.Job.MinGPUs, MaxGPUs); Dally's paper has none. Each can be had alone. Rules{} never changes
// a size, and rigid jobs are scheduled as without it.
//
//   - Shrink: a job that would wait, for GPUs or for its timers, starts on fewer GPUs than it asks
//     for, if one unit of the finest level (a machine at least) that could hold its minimum has as
//     many: all that there are, or the minimum.
//   - Yield: the first that would wait starts as small as Shrink permits (as it asks without
//     Shrink) in the unit where running elastic jobs have to give up the fewest GPUs for it; they
//     shrink, in the order of Yield, as far as their minimum.
//   - Spread: both come before a start that is spread more than the job's demand needs, too,
//     although its timers permit it.
//   - Grow: free GPUs of the machines where an elastic job runs go to it when no contestant took
//     them, or rather than to a start spread more than it needs. New grants grow first, then
//     running jobs in the order of the contest.
//
// At the end of a lease every job contests for what it asks for: a smaller one returns to that
// where its machine or another has the GPUs, a larger one keeps what no other job takes. A job that
// got or changed its GPUs less than Rest ago neither yields nor grows. Resizes cost what the run
// charges for them.
//
// Reading guide: settings.go has the settings, elastic.go starts and the ends of leases, yield.go
// jobs that shrink for one that waits, grow.go jobs that grow.
package elastic

import (
	"slices"

	"tarry/sim/param"
)

// Rules are the rules; each can be had alone.
type Rules struct {
	// Shrink, Yield, Spread and Grow are the four rules of the package comment.
	Shrink shrink
	Yield  yield
	Spread bool
	Grow   grow
	// Max lets jobs grow to the most that they can use; else to what they ask for.
	Max bool
	// Over lets them grow into GPUs of other machines, too, wherever that makes them faster by a
	// tenth: it reads the predicted speed.
	Over bool
	// Rest is in leases.
	Rest float64
}

// shrink states on how many GPUs a job starts that would wait.
type shrink uint8

// yield states which running job gives the next GPU to a job that would wait.
type yield uint8

// grow states when free GPUs go to running jobs.
type grow uint8

// The choices.
const (
	noShrink shrink = iota
	shrinkMost
	shrinkLeast

	noYield      yield = 0
	yieldGrown   yield = 1 // the largest first, as far as what it asks for
	yieldLargest yield = 2
	yieldLoss    yield = 3 // the job whose speed falls least, by the speed model

	noGrow       grow = 0
	growWhenIdle grow = 1
	growSpread   grow = 2 // rather than to a spread start, and when no job took them
)

func shrinks() []string { return []string{"never", "most", "least"} }
func yields() []string  { return []string{"never", "grown", "largest", "loss"} }
func grows() []string   { return []string{"never", "idle", "before-spread"} }

// On reports whether any rule can change a size.
func (r *Rules) On() bool { return r.Shrink != noShrink || r.Yield != noYield || r.Grow != noGrow }

// Reads reports whether the rules go by the predicted speed.
func (r *Rules) Reads() bool { return r.Yield == yieldLoss || r.Over }

// Params describes the settings for the catalogue.
const Params = `shrink    elastic jobs that would wait start smaller on near GPUs: most: on all there are; least: on their minimum
yield     running elastic jobs shrink for one that would wait: grown: the largest first, to what they ask for; largest: to their minimum;
          loss: the job that loses least speed first
before    wait | spread: what shrink and yield come before: waiting alone, or also a start that is spread
grow      idle: free GPUs near a running elastic job go to it when no job took them; before-spread: also rather than to a spread
          start
grow_to   asked | max: how far jobs grow
grow_over machine | any: also into GPUs of other machines, where the predicted speed rises by a tenth
rest      time between two resizes of a job, leases`

// All are the rules together: jobs start on what there is, give back what they have grown by, and
// grow to the most that they can use.
func All() Rules { return Rules{Shrink: shrinkMost, Yield: yieldGrown, Grow: growWhenIdle, Max: true} }

// Read reads the settings; the values of r are the defaults, but for Rest.
func (r *Rules) Read(s *param.Set) {
	r.Shrink = shrink(read(s, "shrink", int(r.Shrink), shrinks()))
	r.Yield = yield(read(s, "yield", int(r.Yield), yields()))
	r.Spread = s.Enum("before", "wait", "spread") == "spread"
	r.Grow = grow(read(s, "grow", int(r.Grow), grows()))
	to := []string{"asked", "max"}
	if r.Max {
		slices.Reverse(to)
	}
	r.Max = s.Enum("grow_to", to...) == "max"
	r.Over = s.Enum("grow_over", "machine", "any") == "any"
	r.Rest = s.Float("rest", 0.25, 0, 1e4)
}

// read reads the index of a name.
func read(s *param.Set, key string, def int, names []string) int {
	return slices.Index(names, s.Enum(key, append([]string{names[def]}, names...)...))
}
