package nn

import (
	"math"

	"tarry/internal/fixmath"
)

// MaskedLogit is what a forbidden choice's logit becomes. It is finite, because minus
// infinity turns into NaN in the entropy, and so low that the probability is exactly 0.
const MaskedLogit = -1e9

// LogSoftmax turns logits into log-probabilities, in place. Choices that the mask forbids
// (false) get probability 0; an empty mask forbids nothing.
func LogSoftmax(logits []float64, mask []bool) {
	high := math.Inf(-1)
	for i, ok := range mask {
		if !ok {
			logits[i] += MaskedLogit
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

// SampleCategorical picks the choice that the number u, uniform in [0,1), falls on.
func SampleCategorical(logp []float64, u float64) int {
	last, sum := 0, 0.0
	for i, l := range logp {
		p := fixmath.Exp(l)
		if p == 0 {
			continue
		}
		last = i
		if sum += p; u < sum {
			return i
		}
	}
	return last // rounding left the sum just below u
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

// Entropy returns the entropy in nats of the distribution with these log-probabilities.
func Entropy(logp []float64) float64 {
	sum := 0.0
	for _, l := range logp {
		sum -= float64(fixmath.Exp(l) * l)
	}
	return sum
}
