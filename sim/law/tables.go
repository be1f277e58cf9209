package law

import (
	"math"

	"tarry/internal/fixmath"
)

// normal is a weighted normal part of the density of u.
type normal struct{ weight, mean, sd float64 }

// above is the part's probability of more than u.
func (n normal) above(u float64) float64 { return n.weight * fixmath.NormalCDF((n.mean-u)/n.sd) }

// rest is the part's mean of how far exp(u) lies above exp(at), 0 when it does not.
func (n normal) rest(at float64) float64 {
	whole := n.weight * fixmath.Exp(n.mean+0.5*float64(n.sd*n.sd))
	return float64(whole*fixmath.NormalCDF((n.mean-at)/n.sd+n.sd)) - float64(fixmath.Exp(at)*n.above(at))
}

// mass is the part's probability between two values, exact in both tails.
func (n normal) mass(from, to float64) float64 {
	a, b := (from-n.mean)/n.sd, (to-n.mean)/n.sd
	if a > 0 {
		a, b = -b, -a
	}
	if b < -9 && n.weight < 1 { // a part of a mixture is not looked up where it does not matter
		return 0
	}
	return n.weight * (fixmath.NormalCDF(b) - fixmath.NormalCDF(a))
}

// build fills the tables of a mixture. Between grid points the density of u is taken as constant; past the last, the
// exact mean of the parts is what is left.
func build(sigma float64, parts ...normal) *Shape {
	s := &Shape{sigma: sigma, lo: -span * sigma, step: 2 * span * sigma / (points - 1), above: make([]float64, points),
		rank: make([]float64, points), left: make([]float64, points)}
	last := points - 1
	ends, time := make([]float64, points), make([]float64, points) // in the interval that starts at a point
	for _, p := range parts {
		s.above[last] += p.above(s.at(last))
		time[last] += math.Max(0, p.rest(s.at(last)))
	}
	for i := last - 1; i >= 0; i-- {
		for _, p := range parts {
			ends[i] += p.mass(s.at(i), s.at(i+1))
		}
		s.above[i] = s.above[i+1] + ends[i]
		// The mean time spent in the interval, by parts.
		from, to := fixmath.Exp(s.at(i)), fixmath.Exp(s.at(i+1))
		time[i] = math.Max(0, float64((to-from)*s.above[i+1])+float64(ends[i]*((to-from)/s.step-from)))
	}
	ends[last] = s.above[last]
	s.fill(ends, time)
	return s
}

// fill computes rank and left from the probability to end and the mean time spent in each interval.
func (s *Shape) fill(ends, time []float64) {
	first := fixmath.Exp(s.lo)
	s.rank0, s.left0 = s.stop(0, ends, time, first, math.Max(0, 1-s.above[0]))
	for i := range s.above {
		rank, left := s.stop(i, ends, time, 0, 0)
		if i > 0 && i < len(ends)-1 { // to stop at once: the inverse of the hazard
			if h := ends[i-1] + ends[i]; h > 0 {
				rank = math.Min(rank, 2*s.step*fixmath.Exp(s.at(i))*(s.above[i]/h))
			}
		}
		if !(rank > 0) || math.IsInf(left, 1) { // no mass is left that a float can hold
			s.rank[i], s.left[i] = s.rank[i-1]+s.step, s.left[i-1]+s.step
			continue
		}
		s.rank[i], s.left[i] = math.Log(rank), math.Log(left)
	}
}

// stop tries all ways to stop after point i, spent and ended being what came before it. left is that of never stopping.
func (s *Shape) stop(i int, ends, time []float64, spent, ended float64) (rank, left float64) {
	rank = math.Inf(1)
	for j := i; j < len(ends); j++ {
		spent += time[j]
		if ended += ends[j]; ended > 0 {
			rank = math.Min(rank, spent/ended)
		}
	}
	if ended > 0 {
		return rank, spent / ended
	}
	return rank, math.Inf(1)
}
