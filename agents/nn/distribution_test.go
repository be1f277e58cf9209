package nn

import (
	"math"
	"testing"
)

func TestLogSoftmax(t *testing.T) {
	for _, c := range []struct {
		logits []float64
		mask   []bool
		want   []float64 // probabilities
	}{
		{[]float64{0, 0}, nil, []float64{0.5, 0.5}},
		{[]float64{0, math.Log(3)}, nil, []float64{0.25, 0.75}},
		{[]float64{1000, 1000, 0}, nil, []float64{0.5, 0.5, 0}},
		{[]float64{5, 0, 0}, []bool{false, true, true}, []float64{0, 0.5, 0.5}},
		{[]float64{5, -700, 3}, []bool{false, true, false}, []float64{0, 1, 0}},
	} {
		l := append([]float64(nil), c.logits...)
		LogSoftmax(l, c.mask)
		for i, w := range c.want {
			if got := math.Exp(l[i]); math.Abs(got-w) > 1e-12 {
				t.Errorf("%v under %v: probability %d is %g, want %g", c.logits, c.mask, i, got, w)
			}
		}
		if e := Entropy(l); math.IsNaN(e) || e < 0 {
			t.Errorf("%v under %v: entropy is %g", c.logits, c.mask, e)
		}
	}
	l := []float64{1, 1, 1, 7}
	LogSoftmax(l, []bool{true, true, true, false})
	if got := Entropy(l); math.Abs(got-math.Log(3)) > 1e-12 {
		t.Errorf("entropy of three equal choices is %g, want log 3", got)
	}
}

func TestSampleCategorical(t *testing.T) {
	l := []float64{0, math.Log(2), 0, math.Log(5)}
	LogSoftmax(l, []bool{false, true, true, true}) // 0, 2/8, 1/8, 5/8
	for _, c := range []struct {
		u    float64
		want int
	}{{0, 1}, {0.2499, 1}, {0.2501, 2}, {0.3749, 2}, {0.3751, 3}, {math.Nextafter(1, 0), 3}} {
		if got := SampleCategorical(l, c.u); got != c.want {
			t.Errorf("%g falls on %d, want %d", c.u, got, c.want)
		}
	}
	tail := []float64{0, MaskedLogit} // rounding must never reach a forbidden choice
	LogSoftmax(tail, nil)
	if got := SampleCategorical(tail, math.Nextafter(1, 0)); got != 0 {
		t.Errorf("a forbidden choice was drawn")
	}
}

func TestGaussian(t *testing.T) {
	// two independent dimensions: densities multiply
	x, mean, logStd := []float64{1, -1}, []float64{0.5, 0}, []float64{math.Log(2), 0}
	want := math.Log(math.Exp(-0.5*0.25*0.25)/(2*math.Sqrt(2*math.Pi))) + math.Log(math.Exp(-0.5)/math.Sqrt(2*math.Pi))
	if got := GaussianLogProb(x, mean, logStd); math.Abs(got-want) > 1e-12 {
		t.Errorf("log-density is %g, want %g", got, want)
	}
	if got, want := GaussianEntropy(logStd), math.Log(2)+math.Log(2*math.Pi*math.E); math.Abs(got-want) > 1e-12 {
		t.Errorf("entropy is %g, want %g", got, want)
	}
}

// The density of a squashed Gaussian integrates to 1.
func TestSquashedDensity(t *testing.T) {
	mean, logStd := []float64{0.4}, []float64{-0.3}
	sum, n := 0.0, 20000
	for i := range n {
		a := -1 + 2*(float64(i)+0.5)/float64(n)
		u := []float64{math.Atanh(a)}
		sum += math.Exp(GaussianLogProb(u, mean, logStd)-SquashCorrection(u)) * 2 / float64(n)
	}
	if math.Abs(sum-1) > 1e-6 {
		t.Errorf("the density integrates to %g", sum)
	}
	for _, u := range []float64{-300, -20, 0, 3, 20, 300} {
		want := math.Log1p(-math.Tanh(u) * math.Tanh(u))
		if got := SquashCorrection([]float64{u}); math.Abs(u) < 5 && math.Abs(got-want) > 1e-9 || math.IsInf(got, 0) ||
			math.IsNaN(got) {
			t.Errorf("correction of %g is %g, want %g", u, got, want)
		}
	}
}

// TestGaussianGraph holds the graph's formulas to the plain ones.
func TestGaussianGraph(t *testing.T) {
	r := stream("gaussian graph")
	p := NewParam("std", 1, 3)
	fill(p.W, r)
	tape := NewTape(2)
	x, xs := tape.Matrix("x", 2, 3)
	mean, means := tape.Matrix("mean", 2, 3)
	logp, entropy, squash := tape.GaussianLogProb(x, mean, tape.Param(p)), tape.GaussianEntropy(tape.Param(p)),
		tape.SquashCorrection(x)
	tape.Watch(logp)
	tape.Watch(entropy)
	tape.Watch(squash)
	m, err := tape.Compile(tape.Sum(logp))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for range 3 {
		fill(xs, r)
		fill(means, r)
		if _, err := m.Run(); err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			row, mu := xs[3*i:3*i+3], means[3*i:3*i+3]
			for k, want := range []float64{GaussianLogProb(row, mu, p.W), GaussianEntropy(p.W), SquashCorrection(row)} {
				if got := m.Series(k)[i]; math.Abs(got-want) > 1e-9 {
					t.Errorf("series %d, row %d is %g, want %g", k, i, got, want)
				}
			}
		}
	}
}
