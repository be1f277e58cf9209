package fit

import (
	"math"

	"tarry/internal/fixmath"
)

// The weak prior: Gamma near 1, and a further replica adding less than the first two cost.
const (
	priorGamma = 1e-3
	priorRatio = 1e-2
)

// state is a place of the descent: logarithms of the parameters, and their values.
type state struct{ log, at vector }

// place gives a state its values: from the logarithms, or fixed.
func (p *problem) place(s *state) {
	for i := range s.log {
		s.at[i] = p.fixed[i]
		if p.free[i] {
			s.at[i] = max(fixmath.Exp(s.log[i]), least)
		}
	}
}

// square is a sum of squared terms, half its slope, and the sum of products of the terms' slopes,
// lower left (half its bend, after Gauss and Newton). Only free parameters have slopes.
type square struct {
	sum   float64
	slope vector
	bend  [params]vector
}

// add adds the square of a term that changes with some parameters, in ascending order, as slope
// states.
func (q *square) add(p *problem, term float64, which []int, slope *vector) {
	q.sum += float64(term * term)
	for k, i := range which {
		if !p.free[i] {
			continue
		}
		q.slope[i] += float64(slope[i] * term)
		row := &q.bend[i]
		for _, j := range which[:k+1] {
			row[j] += float64(slope[i] * slope[j])
		}
	}
}

// terms are the parts of the objective: the mean squared errors of gradients and steps, whose roots
// count, and the prior.
type terms struct{ grad, step, prior square }

// value is the objective.
func (t *terms) value() float64 { return math.Sqrt(t.grad.sum) + math.Sqrt(t.step.sum) + t.prior.sum }

// measure fills the terms at a state.
func (p *problem) measure(s *state, t *terms) {
	*t = terms{}
	for i := range p.points {
		p.points[i].add(p, &s.at, t)
	}
	each := 1 / float64(len(p.points))
	t.grad.scale(each)
	t.step.scale(each)
	root := math.Sqrt(priorGamma)
	t.prior.add(p, float64(root*(s.at[gamma]-1)), []int{gamma}, &vector{gamma: float64(root * s.at[gamma])})
	alpha, beta := alphaN, betaN
	if !p.nets {
		alpha, beta = alphaR, betaR // what Throughput gives for several machines has this ratio
	}
	p.ratio(s, t, alpha, beta)
	p.ratio(s, t, alphaR, betaR)
}

// ratio adds the prior of a further replica's cost.
func (p *problem) ratio(s *state, t *terms, alpha, beta int) {
	x := math.Sqrt(priorRatio) * (s.at[beta] / s.at[alpha])
	var d vector
	d[alpha], d[beta] = -x, x
	t.prior.add(p, x, []int{alpha, beta}, &d)
}

// add adds an observation's errors: of the logarithms of both times, by the logarithms of the
// parameters.
func (q *point) add(p *problem, at *vector, t *terms) {
	var grad, step vector
	linear := float64(at[betaC] * q.local)
	compute := at[alphaC] + linear
	logC := math.Log(compute)
	grad[alphaC], grad[betaC] = at[alphaC]/compute, linear/compute
	t.grad.add(p, logC-q.grad, []int{alphaC, betaC}, &grad)

	alpha, more := float64(least), float64(least*least)
	if q.alpha > 0 {
		alpha, more = at[q.alpha], float64(at[q.beta]*q.beyond)
	}
	net := alpha + more
	logN := math.Log(net)
	// (C^g + N^g)^(1/g) is the longer of the two times (1 + (shorter/longer)^g)^(1/g).
	longer, shorter := max(logC, logN), min(logC, logN)
	power := fixmath.Exp(float64(at[gamma] * (shorter - longer)))
	over := fixmath.Log1p(power) / at[gamma]
	share := power / (1 + power) // that the shorter has of the slope
	ofC, ofN := 1-share, share
	if logN > logC {
		ofC, ofN = share, 1-share
	}
	step[alphaC], step[betaC] = float64(ofC*grad[alphaC]), float64(ofC*grad[betaC])
	step[gamma] = float64(share*(shorter-longer)) - over
	which := []int{alphaC, betaC, gamma}
	if q.alpha > 0 {
		step[q.alpha], step[q.beta] = float64(ofN*(alpha/net)), float64(ofN*(more/net))
		which = []int{alphaC, betaC, q.alpha, q.beta, gamma}
	}
	t.step.add(p, longer+over-q.step, which, &step)
}

// scale divides by a number of observations.
func (q *square) scale(each float64) {
	q.sum *= each
	for i := range q.slope {
		q.slope[i] *= each
		for j := range i + 1 {
			q.bend[i][j] *= each
		}
	}
}
