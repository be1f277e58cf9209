package ranked

import (
	"math"
	"sort"

	"tarry/internal/fixmath"
	"tarry/sim"
)

const (
	// grain is the step of logarithms.
	grain = 0.125
	// unitS is the time that is added before the logarithm: shorter ones hardly count.
	unitS = 60
	// numSteps reaches beyond a century.
	numSteps = 160
)

// steps are the times at which ln(1 + t / 1 min), cut to steps of 1/8, moves on.
type steps struct {
	at [numSteps]sim.Time
}

func newSteps() *steps {
	s := &steps{}
	for k := range s.at {
		over := fixmath.Exp(float64(k)*grain) - 1
		s.at[k] = sim.Seconds(unitS * over)
	}
	s.at[0] = 0
	return s
}

// of is the step of a time, and how long it takes until the next; Never after the last.
func (s *steps) of(t sim.Time) (k int, rest sim.Time) {
	k = max(0, sort.Search(numSteps, func(i int) bool { return s.at[i] > t })-1)
	if k == numSteps-1 {
		return k, sim.Never
	}
	return k, s.at[k+1] - t
}

// step cuts a logarithm to steps.
func step(x float64) float64 { return math.Floor(x/grain) * grain }
