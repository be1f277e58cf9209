package nn

import (
	"math"

	"gorgonia.org/gorgonia"

	"tarry/internal/fixmath"
)

// The Plackett-Luce law of orders: the next place goes to one of the items that are left with a
// probability proportional to exp(logit). To sort items by logit + independent Gumbel noise draws
// from it (Yellott, J. Math. Psychology 15, 1977; Kool et al., "Stochastic beams and where to find
// them", arXiv:1903.06059). Here only the first places of an order count.

// RankingLogProb is the log-probability that the first places items of order come first, in this
// order, and the entropy of the choices for these places, each given the items before it: its mean
// over orders is the entropy of the law. order has every item that takes part once, as an index
// into logits.
func RankingLogProb(logits []float64, order []int, places int) (logp, entropy float64) {
	for i := range min(places, len(order)-1) { // the last item is certain
		sum := logSumExp(logits, order[i:])
		logp += logits[order[i]] - sum
		entropy += choiceEntropy(logits, order[i:], sum)
	}
	return logp, entropy
}

// choiceEntropy returns the entropy of the choice of one of the items that are left.
func choiceEntropy(logits []float64, left []int, sum float64) (h float64) {
	for _, j := range left {
		q := logits[j] - sum
		h -= float64(fixmath.Exp(q) * q)
	}
	return h
}

// logSumExp is the logarithm of the sum of the exponentials of some logits.
func logSumExp(logits []float64, of []int) float64 {
	most, sum := math.Inf(-1), 0.0
	for _, j := range of {
		most = max(most, logits[j])
	}
	for _, j := range of {
		sum += fixmath.Exp(logits[j] - most)
	}
	return most + math.Log(sum)
}

// Gumbel is a standard Gumbel number made of u, uniform in (0,1).
func Gumbel(u float64) float64 { return -math.Log(-math.Log(u)) }

// Rankings are the orders of a graph's rows, to be set before each run.
type Rankings struct {
	// Places is how many of them count.
	Places int
	// Order has the items of each row that take part, in order.
	Order [][]int
}

// RankingLogProb is RankingLogProb of each row of logits: two vectors.
func (t *Tape) RankingLogProb(logits Node, of *Rankings) (logp, entropy Node) {
	first := func(logits []float64, order []int) float64 {
		l, _ := RankingLogProb(logits, order, of.Places)
		return l
	}
	second := func(logits []float64, order []int) float64 {
		_, h := RankingLogProb(logits, order, of.Places)
		return h
	}
	return t.ranking("ranking", logits, of, first, chosenGradient),
		t.ranking("ranking entropy", logits, of, second, entropyGradient)
}

// ranking is a vector with a number for each row, whose gradient is a sum over places: by adds the
// gradient of one place, times g, to dst.
func (t *Tape) ranking(what string, logits Node, of *Rankings, value func(logits []float64, order []int) float64,
	by func(dst, logits []float64, left []int, g float64)) Node {
	rows, n := logits.rows, logits.cols
	if n == 0 {
		t.fail("%s of a vector, expected a matrix", what)
	}
	o := &matrixOp{rows: rows, cols: 1, run: func(out []float64, in [][]float64) {
		for i := range rows {
			out[i] = value(in[0][i*n:(i+1)*n], of.Order[i])
		}
	}}
	o.back = func(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
		g, err := o.gradient("logits", rows, n, []int{rows * n, rows}, func(out []float64, in [][]float64) {
			clear(out)
			for i := range rows {
				order := of.Order[i]
				for p := range min(of.Places, len(order)-1) {
					by(out[i*n:(i+1)*n], in[0][i*n:(i+1)*n], order[p:], in[1][i])
				}
			}
		}, in[0], grad)
		return gorgonia.Nodes{g}, err
	}
	return t.Reshape(t.matrix(what, o, logits), rows, 0)
}

// chosenGradient adds the gradient of the log-probability of the first item left.
func chosenGradient(dst, logits []float64, left []int, g float64) {
	sum := logSumExp(logits, left)
	for _, j := range left {
		dst[j] -= float64(g * fixmath.Exp(logits[j]-sum))
	}
	dst[left[0]] += g
}

// entropyGradient adds the gradient of the entropy of a choice.
func entropyGradient(dst, logits []float64, left []int, g float64) {
	sum := logSumExp(logits, left)
	h := choiceEntropy(logits, left, sum)
	for _, j := range left {
		q := logits[j] - sum
		dst[j] -= float64(float64(g*fixmath.Exp(q)) * (q + h))
	}
}
