// Package softmax turns the logits of a choice into log-probabilities, with bits that depend on no
// processor.
package softmax

import (
	"math"

	"tarry/internal/fixmath"
)

// Masked is what is added to the logit of a forbidden choice. It is finite, because minus infinity
// turns into NaN in the entropy, and so low that the probability is exactly 0.
const Masked = -1e9

// Log turns logits into log-probabilities, in place. Choices that the mask forbids (false) get
// probability 0; an empty mask forbids nothing.
func Log(logits []float64, mask []bool) {
	high := math.Inf(-1)
	for i, ok := range mask {
		if !ok {
			logits[i] += Masked
		}
	}
	for _, l := range logits {
		high = max(high, l)
	}
	sum, room := 0.0, [32]float64{}
	for from := 0; from < len(logits); from += len(room) {
		part := logits[from:min(from+len(room), len(logits))]
		e := room[:len(part)]
		for i, l := range part {
			e[i] = l - high
		}
		fixmath.ExpAll(e, e)
		for _, v := range e {
			sum += v
		}
	}
	norm := high + math.Log(sum)
	for i := range logits {
		logits[i] -= norm
	}
}

// Argmax is the first of the largest numbers.
func Argmax(x []float64) int {
	best := 0
	for i := range x {
		if x[i] > x[best] {
			best = i
		}
	}
	return best
}
