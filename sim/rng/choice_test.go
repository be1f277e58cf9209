package rng

import (
	"math"
	"testing"
)

func TestChoiceFollowsItsWeights(t *testing.T) {
	weights := []float64{1, 0, 3, 6}
	c := NewChoice(weights)
	s := Source{Seed: 3}.Stream("choice")
	const n = 100_000
	var got [4]int
	for range n {
		got[c.Pick(s)]++
	}
	for i, w := range weights {
		p := w / 10
		if math.Abs(float64(got[i])/n-p) > 5*math.Sqrt(p*(1-p)/n) {
			t.Errorf("index %d was picked %d times of %d, want a share of %g", i, got[i], n, p)
		}
	}
	if NewChoice([]float64{2}).Pick(s) != 0 {
		t.Error("the only choice was not picked")
	}
}
