package ranked

import (
	"math"
	"math/bits"

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
	// from is the last step that begins at or before 1 << b / 2 microseconds, by the number of bits
	// b of a time.
	from [64]uint8
}

func newSteps() *steps {
	s := &steps{}
	for k := range s.at {
		over := fixmath.Exp(float64(k)*grain) - 1
		s.at[k] = sim.Seconds(unitS * over)
	}
	s.at[0] = 0
	for b := 1; b < len(s.from); b++ {
		k := s.from[b-1]
		for k < numSteps-1 && s.at[k+1] <= 1<<(b-1) {
			k++
		}
		s.from[b] = k
	}
	return s
}

// of is the step of a time, and how long it takes until the next; Never after the last.
func (s *steps) of(t sim.Time) (k int, rest sim.Time) {
	k = int(s.from[bits.Len64(uint64(max(0, t)))&63])
	for k < numSteps-1 && s.at[k+1] <= t {
		k++
	}
	if k == numSteps-1 {
		return k, sim.Never
	}
	return k, s.at[k+1] - t
}

// step cuts a logarithm to steps.
func step(x float64) float64 { return math.Floor(x/grain) * grain }
