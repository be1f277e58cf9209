package gpei

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tarry/agents/search/searchtest"
	"tarry/sim/rng"
)

// The posterior equals the textbook's formulas with a plain inverse.
func TestPosterior(t *testing.T) {
	draws := rng.Source{Seed: 2}.Stream("x")
	f := searchtest.Branin()
	var xs [][]float64
	var y []float64
	for range 12 {
		x := []float64{draws.Float64(), draws.Float64()}
		xs, y = append(xs, x), append(y, f.AtCube(x))
	}
	y = standard(y)
	g := fit(f.Space, xs, y)
	if g == nil {
		t.Fatal("no model")
	}
	n := len(y)
	k := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			k.Set(i, j, g.kernel(xs[i], xs[j]))
		}
		k.Set(i, i, 1+g.noise)
	}
	var inv mat.Dense
	if err := inv.Inverse(k); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		x := []float64{draws.Float64(), draws.Float64()}
		kx := mat.NewVecDense(n, nil)
		for i := range n {
			kx.SetVec(i, g.kernel(x, xs[i]))
		}
		var w mat.VecDense
		w.MulVec(&inv, kx)
		mean, sd := g.at(x)
		wantMean, wantSD := mat.Dot(&w, mat.NewVecDense(n, y)), math.Sqrt(g.variance*max(0, 1-mat.Dot(&w, kx)))
		if math.Abs(mean-wantMean) > 1e-6 || math.Abs(sd-wantSD) > 1e-4 {
			t.Errorf("posterior %v, %v, expected %v, %v", mean, sd, wantMean, wantSD)
		}
	}
	if mean, sd := g.at(xs[0]); g.noise < 1e-3 && (math.Abs(mean-y[0]) > 0.05 || sd > 0.1) {
		t.Errorf("where it was measured it is %v with %v, expected about %v", mean, sd, y[0])
	}
}

// The logarithm of the expected improvement is smooth where the value itself would be 0, and right
// where it is not.
func TestLogH(t *testing.T) {
	for _, z := range []float64{-4.9, -2, 0, 1, 5} {
		sum, h := 0.0, 1e-4 // integral of (z - u) density(u) up to z
		for u := -12.0; u < z; u += h {
			m := u + h/2
			sum += h * (z - m) * math.Exp(-m*m/2) / math.Sqrt(2*math.Pi)
		}
		if got := logH(z); math.Abs(got-math.Log(sum)) > 1e-3 {
			t.Errorf("logH(%v) = %v, expected %v", z, got, math.Log(sum))
		}
	}
	for z := -4.0; z > -60; z -= 0.25 {
		if !(logH(z-0.25) < logH(z)) {
			t.Errorf("logH does not fall at %v: %v, then %v", z, logH(z), logH(z-0.25))
		}
	}
}

// Values that are pure noise are explained as noise, and a smooth curve is not.
func TestNoise(t *testing.T) {
	draws := rng.Source{Seed: 5}.Stream("x")
	f := searchtest.Sphere(1)
	var xs [][]float64
	var noise, curve []float64
	for range 40 {
		x := []float64{draws.Float64()}
		xs, noise, curve = append(xs, x), append(noise, draws.NormFloat64()), append(curve, f.AtCube(x))
	}
	if g := fit(f.Space, xs, standard(noise)); g == nil || g.noise < 0.2 && g.lengths[0] > 0.1 {
		t.Errorf("noise is explained by %+v", g)
	}
	if g := fit(f.Space, xs, standard(curve)); g == nil || g.noise > 1e-3 {
		t.Errorf("a curve is explained by noise %v", g.noise)
	}
}
