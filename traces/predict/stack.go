package predict

import (
	"math"
	"slices"

	"tarry/sim"
)

// stack predicts an offset and a weighted sum of what several estimators predict, in log seconds.
// Weights, none below 0, are fitted by least squares to jobs that ended, each with what the parts
// predicted of it before it ended. Until there are enough it is the mean of the parts.
type stack struct {
	mix
	lambda float64 // penalty of a weight's distance from equal weights
	every  int     // jobs that end until the weights are fitted anew, 0 = only as they grow by half
	sums   sums
	solved int // jobs at the last fit
	offset float64
	fitted []float64 // weights, none before the first fit
}

// leastRows is how many jobs the first fit of weights needs.
const leastRows = 50

// sums are over the jobs that ended: of log run time y, of the parts' predictions x, and products.
type sums struct {
	n     int
	y     float64
	x, xy []float64
	xx    [][]float64
}

func newSums(parts int) sums {
	s := sums{x: make([]float64, parts), xy: make([]float64, parts), xx: make([][]float64, parts)}
	for k := range s.xx {
		s.xx[k] = make([]float64, parts)
	}
	return s
}

func (s *sums) clone() sums {
	c := *s
	c.x, c.xy, c.xx = slices.Clone(s.x), slices.Clone(s.xy), nil
	for _, row := range s.xx {
		c.xx = append(c.xx, slices.Clone(row))
	}
	return c
}

func (s *sums) add(x []float64, y float64) {
	s.n++
	s.y += y
	for k, u := range x {
		s.x[k] += u
		s.xy[k] += float64(u * y)
		for l, v := range x {
			s.xx[k][l] += float64(u * v)
		}
	}
}

// about gives the products about the means: of two parts, and of a part with y.
func (s *sums) about(k, l int) (xx, xy float64) {
	mean := s.x[k] / float64(s.n)
	return s.xx[k][l] - float64(mean*s.x[l]), s.xy[k] - float64(mean*s.y)
}

// Passes of the fit of weights end when none moves further than stillWeight, or after weightPasses.
const (
	weightPasses = 10_000
	stillWeight  = 1e-10
)

// weights moves w to the weights of least squares with a penalty of their distance from equal ones,
// one weight after another: the minimum along each, or 0 where that is below.
func (s *sums) weights(w []float64, lambda float64) {
	equal := 1 / float64(len(w))
	for range weightPasses {
		moved := 0.0
		for k := range w {
			own, left := s.about(k, k)
			left += float64(lambda * equal)
			for l := range w {
				if l != k {
					xx, _ := s.about(k, l)
					left -= float64(xx * w[l])
				}
			}
			best := math.Max(0, left/(own+lambda))
			moved, w[k] = math.Max(moved, math.Abs(best-w[k])), best
		}
		if moved < stillWeight {
			return
		}
	}
}

// look appends what the parts predict of a job; nothing where one has no prediction.
func (s *stack) look(j *sim.Job, to []float64) []float64 {
	n := len(to)
	for _, e := range s.parts {
		y, ok := e.point(j)
		if !ok {
			return to[:n]
		}
		to = append(to, y)
	}
	return to
}

// weigh learns from a job that ended how the parts are to be weighted; looked is what look gave
// before it ended.
func (s *stack) weigh(looked []float64, y float64) {
	if len(looked) != len(s.parts) {
		return
	}
	s.sums.add(looked, y)
	if grown := s.sums.n - s.solved; grown >= leastRows && grown*2 >= s.solved || s.solved > 0 && s.every > 0 &&
		grown >= s.every {
		s.fit()
	}
}

// fit fits the weights to all jobs so far.
func (s *stack) fit() {
	if s.sums.n < leastRows {
		return
	}
	if s.fitted == nil {
		s.fitted = slices.Repeat([]float64{1 / float64(len(s.parts))}, len(s.parts))
	}
	s.solved = s.sums.n
	s.sums.weights(s.fitted, s.lambda)
	n := float64(s.sums.n)
	s.offset = s.sums.y / n
	for k, w := range s.fitted {
		s.offset -= float64(w * s.sums.x[k] / n)
	}
}

func (s *stack) point(j *sim.Job) (float64, bool) {
	if s.fitted == nil {
		return s.mix.point(j)
	}
	y := s.offset
	for k, e := range s.parts {
		x, ok := e.point(j)
		if !ok {
			return s.mix.point(j)
		}
		y += float64(s.fitted[k] * x)
	}
	return y, true
}

func (s *stack) empty() estimator {
	return &stack{mix: *s.each(estimator.empty), lambda: s.lambda, every: s.every, sums: newSums(len(s.parts))}
}

func (s *stack) clone() estimator { return s.with(s.each(estimator.clone)) }

// with is a copy with other parts.
func (s *stack) with(parts *mix) *stack {
	c := *s
	c.mix, c.sums, c.fitted = *parts, s.sums.clone(), slices.Clone(s.fitted)
	return &c
}

// relearn keeps what was learned of the weights.
func (s *stack) relearn() estimator {
	if s.mix.relearn() == nil {
		return nil
	}
	return s.with(s.each(estimator.empty))
}

// settle settles the parts, and fits the weights to all of the past.
func (s *stack) settle() {
	s.mix.settle()
	s.fit()
}
