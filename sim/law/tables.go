package law

import (
	"math"

	"tarry/internal/fixmath"
)

// part is a weighted part of the density of u: a normal one or, as bump, Epanechnikov's kernel,
// which has bounds.
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
	t := max(-1, min(1, z/math.Sqrt(5)))
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

// masses adds the part's probabilities between neighbours of z-values, exact in both tails: ends[i]
// is the probability from u[i] to u[i+1].
func (p part) masses(ends, u []float64) {
	// the distribution function at u[i], if side notes it: +1 below the mean, -1 above it, where it
	// is the function at -z
	var last float64
	side := 0
	for i := range ends {
		a, b := (u[i]-p.mean)/p.sd, (u[i+1]-p.mean)/p.sd
		if a > 0 {
			if side != -1 {
				last = p.up(-a)
			}
			next := p.up(-b)
			ends[i] += p.weight * (last - next)
			last, side = next, -1
			continue
		}
		if side != 1 {
			last = p.up(a)
		}
		next := p.up(b)
		ends[i] += p.weight * (next - last)
		last, side = next, 1
	}
}

// build fills the tables of a mixture. Between grid points the density of u is taken as constant;
// past the last, the exact mean of the parts is what is left.
func build(sigma float64, parts ...part) *Shape {
	s := &Shape{sigma: sigma, lo: -span * sigma, step: 2 * span * sigma / (points - 1), above: make([]float64, points),
		rank: make([]float64, points), left: make([]float64, points)}
	last := points - 1
	ends, time := make([]float64, points), make([]float64, points) // in the interval that starts at a point
	u, exp := make([]float64, points), make([]float64, points)     // of points
	for i := range u {
		u[i] = s.at(i)
		exp[i] = fixmath.Exp(u[i])
	}
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
		if from < to {
			p.masses(ends[from:to], u[from:to+1])
		}
	}
	for i := last - 1; i >= 0; i-- {
		s.above[i] = s.above[i+1] + ends[i]
		// The mean time spent in the interval, by parts.
		from, to := exp[i], exp[i+1]
		time[i] = math.Max(0, float64((to-from)*s.above[i+1])+float64(ends[i]*((to-from)/s.step-from)))
	}
	ends[last] = s.above[last]
	s.fill(ends, time, exp)
	return s
}

// fill computes rank and left from the probability to end and the mean time spent in each interval.
func (s *Shape) fill(ends, time, exp []float64) {
	s.rank0, s.left0 = stop(ends, time, fixmath.Exp(s.lo), math.Max(0, 1-s.above[0]))
	for i := range s.above {
		rank, left := stop(ends[i:], time[i:], 0, 0)
		if i > 0 && i < len(ends)-1 { // to stop at once: the inverse of the hazard
			if h := ends[i-1] + ends[i]; h > 0 {
				rank = math.Min(rank, 2*s.step*exp[i]*(s.above[i]/h))
			}
		}
		if !(rank > 0) || math.IsInf(left, 1) { // no mass is left that a float can hold
			s.rank[i], s.left[i] = s.rank[i-1]+s.step, s.left[i-1]+s.step
			continue
		}
		s.rank[i], s.left[i] = math.Log(rank), math.Log(left)
	}
}

// stop tries all ways to stop from the first point on, spent and ended being what came before it.
// left is the mean time left of never stopping.
func stop(ends, time []float64, spent, ended float64) (rank, left float64) {
	rank = math.Inf(1)
	time = time[:len(ends)]
	for j, e := range ends {
		spent += time[j]
		// A quotient below rank has spent <= rank * ended, also as rounded: most need no division.
		if ended += e; ended > 0 && spent <= rank*ended {
			rank = min(rank, spent/ended)
		}
	}
	switch {
	case !(ended > 0):
		return rank, math.Inf(1)
	case math.IsNaN(spent):
		rank = spent
	}
	return rank, spent / ended
}
