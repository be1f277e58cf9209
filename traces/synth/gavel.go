package synth

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/sim/rng"
)

// gavelClasses is the law that the generator of Gavel draws from (Narayanan et al.,
// "Heterogeneity-aware cluster scheduling policies for deep learning workloads", OSDI 2020, section
// 7.1; github.com/stanford-futuredata/gavel, scheduler/utils.py): a run on the reference GPU takes
// 10^x minutes, x uniform in [1.5, 3] for four jobs of five and in [3, 4] for the fifth, whatever
// the demand. Seven jobs of ten ask for one GPU, one for two, 15 of 100 for four and 5 for eight
// (the paper's trace "continuous-multiple"); single: all for one ("continuous-single").
func gavelClasses(single bool) []class {
	run := tens{{0.8, 1.5, 3}, {0.2, 3, 4}}
	if single {
		return []class{{1, 1, run}}
	}
	return []class{{1, 0.7, run}, {2, 0.1, run}, {4, 0.15, run}, {8, 0.05, run}}
}

// tens is a mixture of run times of 10^x minutes, x uniform between two ends.
type tens []struct{ weight, lo, hi float64 }

// minute is in seconds.
const minute = 60

func (t tens) draw(s *rng.Stream) float64 {
	u, x := s.Float64(), s.Float64()
	for i, p := range t {
		if u -= p.weight; u < 0 || i == len(t)-1 {
			return minute * fixmath.Exp(math.Ln10*(p.lo+float64(x*(p.hi-p.lo))))
		}
	}
	return 0
}

func (t tens) mean() float64 {
	sum := 0.0
	for _, p := range t {
		sum += float64(p.weight * (fixmath.Exp(math.Ln10*p.hi) - fixmath.Exp(math.Ln10*p.lo)) /
			(math.Ln10 * (p.hi - p.lo)))
	}
	return minute * sum
}

func (t tens) cdf(x float64) float64 {
	at, sum := math.Log(x/minute)/math.Ln10, 0.0
	for _, p := range t {
		sum += float64(p.weight * max(0, min(1, (at-p.lo)/(p.hi-p.lo))))
	}
	return sum
}
