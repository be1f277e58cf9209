package tpe

import (
	"math"
	"testing"

	"tarry/agents/search"
	"tarry/sim/rng"
)

// The density integrates to one, and its draws have its mean.
func TestMixture(t *testing.T) {
	s := search.Space{{Name: "a", Hi: 1}, {Name: "b", Kind: search.Choice, Choices: []string{"x", "y", "z"}}}
	k := &mixture{space: s, points: [][]float64{{0.1, s[1].Coordinate(0)}, {0.9, s[1].Coordinate(2)},
		{0.85, s[1].Coordinate(2)}}, width: 0.15}
	k.normalise()
	const n = 500
	total, mean, third := 0.0, 0.0, 0.0
	for c := range 3 {
		for i := range n {
			u := (float64(i) + 0.5) / n
			p := math.Exp(k.log([]float64{u, s[1].Coordinate(float64(c))})) / n
			total += p
			mean += p * u
			if c == 2 {
				third += p
			}
		}
	}
	if math.Abs(total-1) > 1e-3 {
		t.Errorf("the density integrates to %v", total)
	}
	stream := rng.Source{Seed: 1}.Stream("x")
	gotMean, gotThird := 0.0, 0.0
	const draws = 20_000
	for range draws {
		x := k.draw(stream)
		gotMean += x[0] / draws
		if s[1].Value(x[1]) == 2 {
			gotThird += 1.0 / draws
		}
	}
	if math.Abs(gotMean-mean) > 0.01 || math.Abs(gotThird-third) > 0.015 {
		t.Errorf("draws have the mean %v and take the third choice %v of the time, expected %v and %v", gotMean,
			gotThird, mean, third)
	}
}
