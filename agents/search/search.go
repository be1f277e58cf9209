package search

import (
	"errors"
	"fmt"
	"math"

	"tarry/internal/stats"
	"tarry/sim/rng"
)

// maxEvaluations bounds a budget in windows, which is kept in memory.
const maxEvaluations = 100_000_000

// Config is what every method receives.
type Config struct {
	Space Space
	// Source names the random streams.
	Source rng.Source
	// Budget is how many points may be measured on all windows; a point that is measured on fewer
	// costs as much less.
	Budget int
	// Windows is how many windows a full measurement has.
	Windows int
}

// Validate reports every fault.
func (c Config) Validate() error {
	errs := []error{c.Space.Validate()}
	if c.Budget < 1 {
		errs = append(errs, fmt.Errorf("budget is %d, expected at least 1 evaluation", c.Budget))
	}
	if c.Windows < 1 {
		errs = append(errs, fmt.Errorf("windows are %d, expected at least 1", c.Windows))
	}
	if c.Budget > 0 && c.Windows > 0 && c.Budget > maxEvaluations/c.Windows {
		errs = append(errs, fmt.Errorf("budget %d on %d windows, expected at most %d in all", c.Budget, c.Windows,
			maxEvaluations))
	}
	return errors.Join(errs...)
}

// Full asks for points on all windows.
func (c Config) Full(points ...[]float64) []Ask {
	out := make([]Ask, len(points))
	for i, x := range points {
		out[i] = Ask{X: x, To: c.Windows}
	}
	return out
}

// Uniform draws a point.
func (c Config) Uniform(draws *rng.Stream) []float64 {
	x := make([]float64, len(c.Space))
	for i := range x {
		x[i] = draws.Float64()
	}
	return x
}

// Ask is a point to be measured on the windows From to To-1. Windows may be numbered beyond
// Config.Windows.
type Ask struct {
	X        []float64
	From, To int
}

// Observation is a point that was measured.
type Observation struct {
	Ask
	// Batch counts the batches, from 0.
	Batch int
	// Values has one value per window, as given to Tell.
	Values []float64
	// Mean is +Inf if any value is not finite. SE is the standard error of the mean over windows,
	// NaN for one.
	Mean, SE float64
}

// settle computes what follows from the values.
func (o *Observation) settle() {
	o.Mean, o.SE = stats.Mean(o.Values), math.NaN()
	for _, v := range o.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			o.Mean = math.Inf(1)
			return
		}
	}
	if n := len(o.Values); n > 1 {
		o.SE = math.Sqrt(stats.Variance(o.Values) / float64(n))
	}
}

// Costs lists the means, with infinite means replaced by one that is worse than all finite
// ones by their range.
func Costs(of []Observation) []float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, o := range of {
		if !math.IsInf(o.Mean, 0) {
			lo, hi = min(lo, o.Mean), max(hi, o.Mean)
		}
	}
	bad := 0.0
	if lo <= hi {
		bad = hi + max(hi-lo, 1e-9*max(1, math.Abs(hi)))
	}
	out := make([]float64, len(of))
	for i, o := range of {
		out[i] = o.Mean
		if math.IsInf(o.Mean, 0) {
			out[i] = bad
		}
	}
	return out
}

// Method is an algorithm.
type Method interface {
	// Propose gives the next batch, from all that is known and numbers from a stream of its own.
	// The points are cut to the cube and to their values. None ends the search.
	Propose(known []Observation, draws *rng.Stream) []Ask
}

// Learner is a Method with a state of its own. Every call of Propose but the last is followed by
// one of Learn.
type Learner interface {
	Method
	// Learn takes in the batch that was proposed last, in its order.
	Learn(batch []Observation)
}
