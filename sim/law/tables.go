package law

import (
	"math"

	"tarry/internal/fixmath"
)

// part is a weighted part of the density of u: a normal one or, as bump, Epanechnikov's kernel, which has bounds.
type part struct {
	weight, mean, sd float64
	bump             bool
}

// above is the part's probability of more than u.
func (p part) above(u float64) float64 { return p.weight * p.up((p.mean-u)/p.sd) }

// up is the part's distribution function of z standard deviations.
func (p part) up(z float64) float64 {
	if !p.bump {
		return fixmath.NormalCDF(z)
	}
	t := math.Max(-1, math.Min(1, z/math.Sqrt(5)))
	return 0.5 + float64(0.75*t) - float64(0.25*t*float64(t*t))
}

// rest is the part's mean of how far exp(u) lies above exp(at), 0 when it does not.
func (p part) rest(at float64) float64 {
	if p.bump { // past the grid a bump counts as one value
		return p.weight * math.Max(0, fixmath.Exp(p.mean)-fixmath.Exp(at))
	}
	whole := p.weight * fixmath.Exp(p.mean+float64(0.5*float64(p.sd*p.sd)))
	return float64(whole*fixmath.NormalCDF((p.mean-at)/p.sd+p.sd)) - float64(fixmath.Exp(at)*p.above(at))
}

// mass is the part's probability between two values, exact in both tails.
func (p part) mass(from, to float64) float64 {
	a, b := (from-p.mean)/p.sd, (to-p.mean)/p.sd
	if a > 0 {
		a, b = -b, -a
	}
	return p.weight * (p.up(b) - p.up(a))
}

// build fills the tables of a mixture. Between grid points the density of u is taken as constant; past the last, the
// exact mean of the parts is what is left.
func build(sigma float64, parts ...part) *Shape {
	s := &Shape{sigma: sigma, lo: -span * sigma, step: 2 * span * sigma / (points - 1), above: make([]float64, points),
		rank: make([]float64, points), left: make([]float64, points)}
	last := points - 1
	ends, time := make([]float64, points), make([]float64, points) // in the interval that starts at a point
	for _, p := range parts {
		s.above[last] += p.above(s.at(last))
		time[last] += math.Max(0, p.rest(s.at(last)))
	}
	for _, p := range parts {
		from, to := 0, last
		if p.bump {
			from = min(max(0, int((p.mean-float64(3*p.sd)-s.lo)/s.step)), last)
			to = max(min(last, int((p.mean+float64(3*p.sd)-s.lo)/s.step)+1), 0)
		}
		for i := from; i < to; i++ {
			ends[i] += p.mass(s.at(i), s.at(i+1))
		}
	}
	for i := last - 1; i >= 0; i-- {
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
