// Package mixing has the arithmetic of mixtures of rules (improper learning; Zaki, Mohan, Gopalan
// and Mannor, arXiv:2102.08201): each time a rule is drawn, with fixed probabilities, and its
// decision is taken. The probabilities are a softmax of one parameter for each rule.
//
//  1. Softmax gives the probabilities, Ascend makes an exact gradient step where each rule has a
//     known reward (a bandit).
//  2. A Chain is a small decision process with rules: Values gives the expected discounted cost of
//     a mixture from each state, by value iteration.
//  3. Best and Simplex look for the best mixture on a grid.
package mixing

import (
	"math"
	"slices"

	"tarry/internal/fixmath"
)

// Softmax writes the probabilities of parameters to dst, which may be theta itself.
func Softmax(dst, theta []float64) {
	high, sum := slices.Max(theta), 0.0
	for i, x := range theta {
		dst[i] = fixmath.Exp(x - high)
		sum += dst[i]
	}
	for i := range dst {
		dst[i] /= sum
	}
}

// Draw gives the first place at which the sum of probabilities exceeds u, uniform in [0, 1); a
// place of probability 0 is never drawn.
func Draw(probabilities []float64, u float64) int {
	last, sum := 0, 0.0
	for i, p := range probabilities {
		if p == 0 {
			continue
		}
		last = i
		if sum += p; u < sum {
			break
		}
	}
	return last
}

// Mean is the expectation of x under probabilities.
func Mean(probabilities, x []float64) (sum float64) {
	for i, p := range probabilities {
		sum += float64(p * x[i])
	}
	return sum
}

// Ascend makes a gradient step on the expected reward of the softmax: each parameter grows by
// step p (r - mean of r). It gives the probabilities after it.
func Ascend(theta, rewards []float64, step float64) []float64 {
	p := make([]float64, len(theta))
	Softmax(p, theta)
	mean := Mean(p, rewards)
	for i := range theta {
		theta[i] += float64(step * float64(p[i]*(rewards[i]-mean)))
	}
	Softmax(p, theta)
	return p
}

// Move is a successor of a state and its probability.
type Move struct {
	To int
	P  float64
}

// Chain is a decision process with rules.
type Chain struct {
	// Cost is what a step from a state costs, Moves[m][s] are the successors of state s under rule m.
	Cost  []float64
	Moves [][][]Move
}

// settled is the largest change of a round after which values count as settled, relative to them.
const settled = 1e-15

// Values gives the expected discounted cost from each state where each step's rule is drawn with
// these probabilities. discount is below 1.
func (c *Chain) Values(mixture []float64, discount float64) []float64 {
	values := make([]float64, len(c.Cost))
	for range 100_000 {
		change := 0.0
		for s, cost := range c.Cost {
			next := 0.0
			for m, p := range mixture {
				if p == 0 {
					continue
				}
				sum := 0.0
				for _, move := range c.Moves[m][s] {
					sum += float64(move.P * values[move.To])
				}
				next += float64(p * sum)
			}
			v := cost + float64(discount*next)
			change = max(change, math.Abs(v-values[s])/max(1, math.Abs(v)))
			values[s] = v
		}
		if change <= settled {
			break
		}
	}
	return values
}

// Simplex lists all mixtures of n rules whose probabilities are whole multiples of 1/parts, the
// first rule's ascending.
func Simplex(n, parts int) [][]float64 {
	var all [][]float64
	var fill func(counts []int, left int)
	fill = func(counts []int, left int) {
		if len(counts) == n-1 {
			mixture := make([]float64, n)
			for i, k := range append(counts, left) {
				mixture[i] = float64(k) / float64(parts)
			}
			all = append(all, mixture)
			return
		}
		for k := range left + 1 {
			fill(append(slices.Clone(counts), k), left-k)
		}
	}
	fill(nil, parts)
	return all
}

// Best is the mixture of least cost from a state, the first among equals, and the cost.
func (c *Chain) Best(mixtures [][]float64, from int, discount float64) (best []float64, cost float64) {
	cost = math.Inf(1)
	for _, m := range mixtures {
		if v := c.Values(m, discount)[from]; v < cost {
			best, cost = m, v
		}
	}
	return best, cost
}
