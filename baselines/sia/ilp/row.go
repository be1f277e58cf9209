package ilp

import (
	"fmt"
	"math"

	"tarry/internal/fixmath"
)

// Rules are the constants of the problem.
type Rules struct {
	// Power is p, not 0; the paper's is -0.5.
	Power float64
	// Lambda is what a job without GPUs counts: above 1 where p < 0, below -1 where p > 0; the
	// paper's is 1.1.
	Lambda float64
	// Clip is the largest entry, > 0; 3000 in the authors' simulator.
	Clip float64
	// Digits is the number of decimals of an entry, 1 to 6; 2 there.
	Digits int
}

// Default gives the constants of the authors' simulator, which are the paper's where that names
// them.
func Default() Rules { return Rules{Power: -0.5, Lambda: 1.1, Clip: 3000, Digits: 2} }

// Validate reports the first fault.
func (r *Rules) Validate() error {
	switch {
	case !(math.Abs(r.Power) > 0) || math.IsInf(r.Power, 0):
		return fmt.Errorf("ilp: the power is %v, expected a number that is not 0", r.Power)
	case !(math.Abs(r.Lambda) > 1) || math.IsInf(r.Lambda, 0) || r.Lambda > 0 == (r.Power > 0):
		return fmt.Errorf("ilp: lambda is %v, expected a number beyond 1 with the sign that the power %v has not",
			r.Lambda, r.Power)
	case !(r.Clip > 0):
		return fmt.Errorf("ilp: entries are clipped to %v, expected more than 0", r.Clip)
	case r.Digits < 1 || r.Digits > 6:
		return fmt.Errorf("ilp: %d decimals, expected 1 to 6", r.Digits)
	}
	return nil
}

// Job is what a row is made of.
type Job struct {
	// Goodput has the goodput of each configuration, in any unit; 0 = the job cannot have it. Where
	// no entry is above 0 nothing is known of the job, and Blank names the configurations that it
	// may have.
	Goodput []float64
	// Blank are the configurations of a job of which nothing is known: configurations of one GPU in
	// the authors' simulator.
	Blank []int
	// Prev is the configuration that the job has, -1 for none.
	Prev int
	// AgeS is the time since the job came, PenaltyS what a restart costs it, both in seconds;
	// Restarts how often it was restarted.
	AgeS, PenaltyS float64
	Restarts       int
}

// Restart is the restart factor r of a job, 0 to 1.
func (j *Job) Restart() float64 {
	if j.AgeS < j.PenaltyS {
		return 1
	}
	if sum := j.AgeS + j.PenaltyS; sum > 0 {
		return math.Max(j.AgeS-float64(float64(j.Restarts)*j.PenaltyS), 0) / sum
	}
	return 1
}

// invalid is the entry of a configuration that a job cannot have, before the power: its cost is
// then 100 at p = -0.5, or more.
const invalid = float32(1e-4)

// Row writes the entries of a job, one for each configuration, each the decimal number that its 32
// bits are nearest to.
func (r *Rules) Row(dst []float64, j *Job) {
	least := float32(math.Inf(1))
	for _, g := range j.Goodput {
		if v := float32(g); v > 0 && v < least {
			least = v
		}
	}
	blank := math.IsInf(float64(least), 1)
	factor := float32(1)
	if j.Prev >= 0 {
		factor = float32(j.Restart())
	}
	for c, g := range j.Goodput {
		x := invalid
		if v := float32(g); v > 0 {
			x = v / least
		}
		dst[c] = float64(x)
	}
	if blank {
		for _, c := range j.Blank {
			dst[c] = 1
		}
	}
	barred := r.entry(invalid * factor) // most entries of a rigid job
	for c := range dst {
		x := float32(dst[c])
		if c != j.Prev {
			x *= factor
		}
		if x == invalid*factor {
			dst[c] = barred
		} else {
			dst[c] = r.entry(x)
		}
	}
}

// scale is 10 to the power of the digits.
func (r *Rules) scale() float64 {
	scale := 1.0
	for range r.Digits {
		scale *= 10
	}
	return scale
}

// entry is an entry of the matrix for a normalised goodput.
func (r *Rules) entry(x float32) float64 {
	p := float32(fixmath.Pow(float64(x), r.Power))
	wide := r.scale()
	per := float32(wide)
	rounded := p
	if scaled := p * per; !math.IsInf(float64(scaled), 1) {
		rounded = float32(math.RoundToEven(float64(scaled))) / per
	}
	v := math.Min(float64(rounded), r.Clip)
	return math.RoundToEven(float64(v*wide)) / wide
}
