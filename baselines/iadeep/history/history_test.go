package history

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestTable(t *testing.T) {
	h := New()
	if h.Predict([]string{"a", "b"}) != 0 {
		t.Error("an empty table predicts something")
	}
	h.Note([]string{"a", "b"}, 0.2)
	h.Note([]string{"b", "a"}, 0.4)
	if got := h.Predict([]string{"a", "b"}); math.Abs(got-0.3) > 1e-15 || h.Len() != 2 {
		t.Errorf("the mean of 0.2 and 0.4 is %v of %d", got, h.Len())
	}
	if got := h.Predict([]string{"a", "a", "b"}); got != 0 {
		t.Errorf("a set that was not measured has %v with two measurements, expected 0", got)
	}
	c := h.Clone()
	c.Note([]string{"a", "b"}, 3)
	if got := h.Predict([]string{"a", "b"}); math.Abs(got-0.3) > 1e-15 {
		t.Errorf("what a clone measured is in the table: %v", got)
	}
}

// Degradations that are a sum over tasks and pairs are learned, and sets that were never measured
// are predicted.
func TestRegressionLearns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	own := map[string]float64{"a": 0.1, "b": 0.5, "c": 0.3, "d": 0.05}
	truth := func(set []string) float64 {
		n, sum := float64(len(set)), 0.0
		for _, m := range set {
			sum += own[m]
		}
		return sum + 0.2*n*(n-1)/2
	}
	draw := func(n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = string(rune('a' + r.IntN(4)))
		}
		return out
	}
	h := New()
	for range 60 {
		s := draw(1 + r.IntN(3))
		h.Note(s, truth(s))
	}
	worst := 0.0
	for range 200 {
		s := draw(4)
		if i := h.find(s); i >= 0 {
			t.Fatal("a set of four was measured")
		}
		worst = max(worst, math.Abs(h.Predict(s)-truth(s)))
	}
	if worst > 0.05 {
		t.Errorf("sets of four are predicted with an error of up to %v", worst)
	}
	if got := h.Predict([]string{"z", "z", "z", "z"}); math.IsNaN(got) || got < 0 {
		t.Errorf("models that were never seen give %v", got)
	}
	before := h.weights
	h.Predict(draw(4))
	if &before[0] != &h.weights[0] {
		t.Error("it is fitted again though nothing was measured")
	}
}

// Weights solve the normal equations, solved by elimination.
func TestFitIsTheNormalEquations(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	h := New()
	for range 40 {
		s := make([]string, 1+r.IntN(3))
		for i := range s {
			s[i] = string(rune('a' + r.IntN(3)))
		}
		h.Note(s, r.Float64())
	}
	h.fit()
	n := len(h.weights)
	residual := make([]float64, n) // X'(Xw - y) + ridge w
	for i, w := range h.weights {
		residual[i] = ridge * w
	}
	for _, row := range h.rows {
		x := make([]float64, n)
		h.features(row.set, func(i int, v float64) { x[i] = v })
		y := 0.0
		for i := range x {
			y += x[i] * h.weights[i]
		}
		for i := range x {
			residual[i] += x[i] * (float64(row.n)*y - row.sum)
		}
	}
	for i, v := range residual {
		if math.Abs(v) > 1e-10 {
			t.Errorf("gradient %d is %v, expected 0", i, v)
		}
	}
}
