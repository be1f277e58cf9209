package agenttest

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/agents/nn"
	"tarry/sim/rng"
)

// Draws gives a stream of random numbers for a test by its name.
func Draws(name string) *rand.Rand { return rng.Source{Seed: 3}.Stream(name).Rand }

// Gradients holds the gradients of parameters to central differences of a loss, within 1e-6 of the
// larger of 1 and the difference. what is in front of the error.
func Gradients(t *testing.T, what string, params []*nn.Param, loss func() float64) {
	t.Helper()
	const h = 1e-6
	for _, p := range params {
		for i := range p.W {
			was := p.W[i]
			p.W[i] = was + h
			up := loss()
			p.W[i] = was - h
			down := loss()
			p.W[i] = was
			if numeric := (up - down) / (2 * h); !(math.Abs(numeric-p.Grad[i]) <= 1e-6*max(1, math.Abs(numeric))) {
				t.Fatalf("%s: gradient of %s[%d] is %.10g, by differences %.10g", what, p.Name, i, p.Grad[i], numeric)
			}
		}
	}
}

// Mask allows some choices of each component of an action at random, at least one. mask is nil where
// all choices are legal.
func Mask(mask []bool, sizes []int, r *rand.Rand) {
	for at, c := 0, 0; len(mask) > 0 && c < len(sizes); c++ {
		for j := range sizes[c] {
			mask[at+j] = r.IntN(2) == 0
		}
		mask[at+r.IntN(sizes[c])] = true
		at += sizes[c]
	}
}
