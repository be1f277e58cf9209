package score

import (
	"math"

	"tarry/internal/fixmath"
)

// Rule is a Func with all that a scheduler needs beside it.
type Rule struct {
	// Func is the score.
	Func *Func
	// Globals are numbers for all jobs.
	Globals Globals
	// Law is the law of run times where nothing better is known of a job.
	Law Law
	// Predictor names what the weights were found with, NAME or NAME:key=value,...; "" = the law
	// alone. With a name the laws of jobs are from the run's predictor, whatever it is, and Law
	// is for runs without one.
	Predictor string
	// NoLease states that the weights were found where grants are no leases, and Backfill by what
	// reservations went there, as users write it; "" = none.
	NoLease  bool
	Backfill string
}

// Globals are the numbers beside the scores.
type Globals struct {
	// Margin is by how much the score of a running job must exceed the blocked job's before
	// it is evicted; >= 0. In a score whose weight of the rank is 1 it is a difference of
	// logarithms of ranks. +Inf = no job is evicted.
	Margin float64
	// MinRun is how long a job keeps its GPUs at least before it is evicted, in leases; >= 0.
	MinRun float64
	// Least is what MinRun is multiplied with as the lull and the doubt change.
	Least Gates
	// Rack and Net are the delay timers in leases, both >= 0 (+Inf = never), or both NaN: tuned as
	// Dally's are.
	Rack, Net float64
}

// Gates are what the logarithm of a number gains per unit of the lull and the doubt.
type Gates struct{ Lull, Doubt float64 }

// At is what the number is multiplied with; 1 where both are 0.
func (g Gates) At(now Common) float64 {
	return fixmath.Exp(float64(g.Lull*now.Lull) + float64(g.Doubt*now.Doubt))
}

// At are the globals at an instant: their least run is multiplied, and follows nothing more.
func (g Globals) At(now Common) Globals {
	g.MinRun, g.Least = g.MinRun*g.Least.At(now), Gates{}
	return g
}

// Gated reports whether the rule depends on the lull or the doubt, or would under other weights of its
// function.
func (r *Rule) Gated() bool { return r.Func.Gated() || r.Globals.Least != Gates{} }

// Law is the log-normal law of a job's run time at full speed.
type Law struct {
	// MedianS is in seconds, > 0; Spread is the standard deviation of ln(run time), 0 to 4.
	MedianS, Spread float64
}

// DefaultGlobals are Dally's timers, tuned, evictions without a margin and a quarter of a lease on
// its GPUs for every job.
func DefaultGlobals() Globals { return Globals{MinRun: 0.25, Rack: math.NaN(), Net: math.NaN()} }

// DefaultLaw is a wide one: a median of an hour, ten times more or less within one standard
// deviation.
func DefaultLaw() Law { return Law{MedianS: 3600, Spread: 2} }

// Auto reports whether the timers are tuned as Dally's are.
func (g *Globals) Auto() bool { return math.IsNaN(g.Rack) }
