package cmaes

import (
	"math"
	"slices"
	"testing"

	"tarry/agents/search/searchtest"
	"tarry/internal/stats"
	"tarry/sim/rng"
)

// middle is the middle of the cube.
func middle(d int) []float64 { return slices.Repeat([]float64{0.5}, d) }

// The first population has the standard deviation that was asked for.
func TestFirstDeviation(t *testing.T) {
	for _, sigma := range []float64{1e-3, 0.05} {
		r := NewDistribution(middle(2), 400, sigma)
		draws := rng.Source{Seed: 1}.Stream("x")
		var x []float64
		for range 400 {
			x = append(x, sample(r, draws)[0])
		}
		if got := math.Sqrt(stats.Variance(x)); math.Abs(got/sigma-1) > 0.15 {
			t.Errorf("deviation %v, expected %v", got, sigma)
		}
	}
}

// The constants of five dimensions and eight points, computed apart from table 1.
func TestConstants(t *testing.T) {
	r := NewDistribution(middle(5), 8, 0.3)
	for name, c := range map[string][2]float64{
		"mu": {r.mu, 2.6001788}, "cs": {r.cs, 0.3650884}, "cc": {r.cc, 0.4501996}, "c1": {r.c1, 0.0472923},
		"cmu": {r.cmu, 0.0381692},
		"chi": {r.chi, 2.1285238}, "first weight": {r.weights[0], 0.5299302},
	} {
		if math.Abs(c[0]-c[1]) > 1e-6 {
			t.Errorf("%s is %.7f, expected %.7f", name, c[0], c[1])
		}
	}
	up, down := 0.0, 0.0
	for i, w := range r.weights {
		if i < r.better {
			up += w
		} else {
			down += w
		}
	}
	// The least of 1 + c1/cmu = 2.239, 1 + 2 mu-/(mu + 2) = 2.394 and (1 - c1 - cmu)/(n cmu) =
	// 4.792.
	if math.Abs(up-1) > 1e-12 || math.Abs(down+2.2390187) > 1e-6 {
		t.Errorf("weights add up to %v and %v", up, down)
	}
}

// The covariance of a run on an ellipsoid takes the shape of its inverse Hessian.
func TestCovarianceLearnsTheShape(t *testing.T) {
	f := searchtest.Ellipsoid(2, 1e4)
	r := NewDistribution(middle(2), 10, 0.2)
	draws := rng.Source{Seed: 3}.Stream("x")
	for range 60 {
		points, costs := make([][]float64, 10), make([]float64, 10)
		for k := range points {
			points[k] = sample(r, draws)
			costs[k] = f.AtCube(points[k])
		}
		r.Update(points, costs)
	}
	if got := math.Log10(r.c.At(0, 0) / r.c.At(1, 1)); math.Abs(got-4) > 1 {
		t.Errorf("the variances have the ratio 10^%v, expected 10^4", got)
	}
}
