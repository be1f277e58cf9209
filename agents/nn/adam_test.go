package nn

import (
	"math"
	"testing"
)

// The first steps of Adam by the formulas of the paper, written out.
func TestAdamByHand(t *testing.T) {
	p := NewParam("p", 1, 1)
	p.W[0] = 1
	a := NewAdam([]*Param{p}, 1e-5)
	w, m, v := 1.0, 0.0, 0.0
	for step, g := range []float64{2, -1, 0.5, 0} {
		p.Grad[0] = g
		a.Step(0.1)
		m = 0.9*m + 0.1*g
		v = 0.999*v + 0.001*g*g
		n := float64(step + 1)
		w -= 0.1 * (m / (1 - math.Pow(0.9, n))) / (math.Sqrt(v/(1-math.Pow(0.999, n))) + 1e-5)
		if !(math.Abs(p.W[0]-w) <= 1e-14) {
			t.Fatalf("after step %d the weight is %.17g, want %.17g", step+1, p.W[0], w)
		}
	}
	if a.Steps() != 4 {
		t.Errorf("%d steps were counted, want 4", a.Steps())
	}
}

// However large the first gradient, the first step is about the learning rate: the bias
// correction starts with step 1, not 0 or 2.
func TestAdamFirstStep(t *testing.T) {
	for _, g := range []float64{1e-2, 1, 1e6} {
		p := NewParam("p", 1, 1)
		a := NewAdam([]*Param{p}, 1e-12)
		p.Grad[0] = g
		a.Step(0.1)
		if math.Abs(p.W[0]+0.1) > 1e-9 {
			t.Errorf("first step for gradient %g is %g, want -0.1", g, p.W[0])
		}
	}
}

func TestClipNorm(t *testing.T) {
	a, b := NewParam("a", 1, 1), NewParam("b", 1, 1)
	set := func() { a.Grad[0], b.Grad[0] = 3, -4 }
	both := []*Param{a, b}
	for _, c := range []struct{ limit, wantA, wantB float64 }{{0, 3, -4}, {6, 3, -4}, {1, 0.6, -0.8}} {
		set()
		if norm := ClipNorm(both, c.limit); norm != 5 {
			t.Errorf("norm is %g, want 5", norm)
		}
		if math.Abs(a.Grad[0]-c.wantA) > 1e-6 || math.Abs(b.Grad[0]-c.wantB) > 1e-6 {
			t.Errorf("limit %g gives (%g, %g), want (%g, %g)", c.limit, a.Grad[0], b.Grad[0], c.wantA, c.wantB)
		}
	}
}

func TestCheckFinite(t *testing.T) {
	p := NewParam("net/weight", 2, 3)
	if err := CheckFinite([]*Param{p}); err != nil {
		t.Error(err)
	}
	p.Grad[4] = math.NaN()
	if err := CheckFinite([]*Param{p}); err == nil || err.Error() != "gradient of net/weight[1,1] is NaN, expected "+
		"a finite number" {
		t.Errorf("error is %v", err)
	}
	p.W[2] = math.Inf(1)
	if err := CheckFinite([]*Param{p}); err == nil || err.Error() != "weight net/weight[0,2] is +Inf, expected a "+
		"finite number" {
		t.Errorf("error is %v", err)
	}
}

func TestOrthogonal(t *testing.T) {
	for _, shape := range [][2]int{{1, 1}, {4, 4}, {3, 7}, {7, 3}, {64, 64}, {1, 5}, {5, 1}} {
		p := NewParam("p", shape[0], shape[1])
		Orthogonal(p, 1.5, stream("orthogonal"))
		n, length, at := p.Rows, p.Cols, func(i, k int) float64 { return p.W[i*p.Cols+k] }
		if p.Rows > p.Cols {
			n, length, at = p.Cols, p.Rows, func(i, k int) float64 { return p.W[k*p.Cols+i] }
		}
		for i := range n {
			for j := range n {
				sum, want := 0.0, 0.0
				for k := range length {
					sum += at(i, k) * at(j, k)
				}
				if i == j {
					want = 1.5 * 1.5
				}
				if math.Abs(sum-want) > 1e-12 {
					t.Fatalf("%v: vectors %d and %d have product %g, want %g", shape, i, j, sum, want)
				}
			}
		}
	}
}

// The initial weights are a function of the stream.
func TestOrthogonalIsReproducible(t *testing.T) {
	a, b := NewParam("a", 5, 3), NewParam("b", 5, 3)
	Orthogonal(a, 1, stream("s"))
	Orthogonal(b, 1, stream("s"))
	for i := range a.W {
		if a.W[i] != b.W[i] {
			t.Fatalf("weight %d is %g and %g", i, a.W[i], b.W[i])
		}
	}
}
