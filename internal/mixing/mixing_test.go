package mixing

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// A step moves parameters along the gradient of the expected reward, found by differences.
func TestAscendIsTheGradient(t *testing.T) {
	rewards, theta := []float64{0.2, -1, 3, 0.5}, []float64{0.3, -0.4, 0, 1.7}
	value := func(theta []float64) float64 {
		p := make([]float64, len(theta))
		Softmax(p, theta)
		return Mean(p, rewards)
	}
	moved := slices.Clone(theta)
	after := Ascend(moved, rewards, 0.5)
	for i := range theta {
		const h = 1e-6
		up, down := slices.Clone(theta), slices.Clone(theta)
		up[i] += h
		down[i] -= h
		want := (value(up) - value(down)) / (2 * h)
		if got := (moved[i] - theta[i]) / 0.5; math.Abs(got-want) > 1e-9 {
			t.Errorf("the gradient of parameter %d is %v, by differences %v", i, got, want)
		}
	}
	if Mean(after, rewards) <= value(theta) {
		t.Error("a step up the gradient lowers the expected reward")
	}
}

// Softmax does not depend on what is added to all, and sums to 1 for parameters of any size.
func TestSoftmax(t *testing.T) {
	for _, add := range []float64{0, 5, -800, 800} {
		p := []float64{0 + add, math.Log(3) + add}
		if Softmax(p, p); math.Abs(p[0]-0.25) > 1e-12 || math.Abs(p[0]+p[1]-1) > 1e-15 {
			t.Errorf("with %v: %v, expected a quarter and the rest", add, p)
		}
	}
}

func TestDraw(t *testing.T) {
	p := []float64{0, 0.25, 0.75, 0}
	for u, want := range map[float64]int{0: 1, 0.2499: 1, 0.25: 2, 0.9999999999999999: 2} {
		if got := Draw(p, u); got != want {
			t.Errorf("%v falls on %d, expected %d", u, got, want)
		}
	}
	if got := Draw([]float64{0.1, 0.2, 0}, 0.999); got != 1 {
		t.Errorf("what rounding leaves over falls on %d, expected 1, the last that can be drawn", got)
	}
}

// A chain of two states by hand: one costs 1 and stays under rule 0, rule 1 leaves it for ever.
func TestValuesByHand(t *testing.T) {
	stay, leave := []Move{{0, 1}}, []Move{{1, 1}}
	c := Chain{Cost: []float64{1, 0}, Moves: [][][]Move{{stay, leave}, {leave, leave}}}
	for _, k := range []struct{ p, want float64 }{{1, 2}, {0, 1}, {0.5, 1 / (1 - 0.25)}} {
		if got := c.Values([]float64{k.p, 1 - k.p}, 0.5); math.Abs(got[0]-k.want) > 1e-12 || got[1] != 0 {
			t.Errorf("rule 0 with probability %v: values %v, expected %v and 0", k.p, got, k.want)
		}
	}
	best, cost := c.Best(Simplex(2, 4), 0, 0.5)
	if fmt.Sprint(best, cost) != "[0 1] 1" {
		t.Errorf("best %v at %v, expected rule 1 alone at 1", best, cost)
	}
}

func TestSimplex(t *testing.T) {
	if got := fmt.Sprint(Simplex(3, 2)); got != "[[0 0 1] [0 0.5 0.5] [0 1 0] [0.5 0 0.5] [0.5 0.5 0] [1 0 0]]" {
		t.Error(got)
	}
}
