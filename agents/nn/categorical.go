package nn

import (
	"tarry/internal/fixmath"
	"tarry/internal/softmax"
)

// MaskedLogit is what is added to a forbidden choice's logit.
const MaskedLogit = -1e9

// LogSoftmax turns logits into log-probabilities, in place. Choices that the mask forbids
// (false) get probability 0; an empty mask forbids nothing.
func LogSoftmax(logits []float64, mask []bool) { softmax.Log(logits, mask) }

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
func Argmax(x []float64) int { return softmax.Argmax(x) }

// Entropy returns the entropy in nats of the distribution with these log-probabilities.
func Entropy(logp []float64) float64 {
	sum := 0.0
	for _, l := range logp {
		sum -= float64(fixmath.Exp(l) * l)
	}
	return sum
}
