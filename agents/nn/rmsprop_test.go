package nn

import (
	"math"
	"testing"
)

// The first steps of both forms by their formulas, written out.
func TestRMSPropByHand(t *testing.T) {
	for _, inRoot := range []bool{false, true} {
		p := NewParam("p", 1, 1)
		p.W[0] = 1
		r := NewRMSProp([]*Param{p}, 1e-3, inRoot)
		w, v := 1.0, 0.0
		if inRoot {
			v = 1
		}
		for step, g := range []float64{2, -1, 0.5, 0} {
			p.Grad[0] = g
			r.Step(0.1)
			v = 0.99*v + 0.01*g*g
			if inRoot {
				w -= 0.1 * g / math.Sqrt(v+1e-3)
			} else {
				w -= 0.1 * g / (math.Sqrt(v) + 1e-3)
			}
			if !(math.Abs(p.W[0]-w) <= 1e-14) {
				t.Fatalf("eps in the root %v: after step %d the weight is %.17g, want %.17g", inRoot, step+1, p.W[0], w)
			}
		}
	}
}

// The first step of PyTorch's form is ten learning rates, however small the gradient; the first
// step of TensorFlow's is about the gradient's size.
func TestRMSPropFirstStep(t *testing.T) {
	for _, c := range []struct {
		inRoot bool
		want   float64
	}{{false, -0.1}, {true, -0.01 * 1e-3}} {
		p := NewParam("p", 1, 1)
		p.Grad[0] = 1e-3
		NewRMSProp([]*Param{p}, 1e-9, c.inRoot).Step(0.01)
		if math.Abs(p.W[0]/c.want-1) > 0.01 {
			t.Errorf("eps in the root %v: the first step is %g, want about %g", c.inRoot, p.W[0], c.want)
		}
	}
}

// Both optimisers continue from a state to the same bits.
func TestOptimizersGoOn(t *testing.T) {
	for name, fresh := range map[string]func([]*Param) Optimizer{
		"adam":    func(p []*Param) Optimizer { return NewAdam(p, 1e-5) },
		"rmsprop": func(p []*Param) Optimizer { return NewRMSProp(p, 1e-5, false) },
		"in root": func(p []*Param) Optimizer { return NewRMSProp(p, 1e-5, true) },
	} {
		r := stream("optimizers")
		a, b := NewParam("p", 2, 3), NewParam("p", 2, 3)
		one, two := fresh([]*Param{a}), fresh([]*Param{b})
		for step := range 20 {
			fill(a.Grad, r)
			one.Step(0.1)
			if step == 9 {
				s := &State{}
				one.Save(s, "o")
				if err := two.Restore(s, "o"); err != nil {
					t.Fatal(err)
				}
				copy(b.W, a.W)
				if two.Restore(&State{}, "o") == nil {
					t.Errorf("%s: an empty state was accepted", name)
				}
			} else if step > 9 {
				copy(b.Grad, a.Grad)
				two.Step(0.1)
			}
		}
		for i := range a.W {
			if a.W[i] != b.W[i] {
				t.Errorf("%s: weight %d went to %g and %g", name, i, a.W[i], b.W[i])
			}
		}
	}
}
